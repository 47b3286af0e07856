autocmd FileType xml setlocal makeprg=build/doppel\ check\ --format\ gcc\ %:S
autocmd FileType xml setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m
