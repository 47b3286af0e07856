// SPDX-License-Identifier: Apache-2.0
// One script and one style sheet with fixed names, so that the server has a list of three files and a rebuilt dist can be compared.
export default {
  base: "./",
  build: {
    assetsInlineLimit: 0, modulePreload: false, chunkSizeWarningLimit: 1200, reportCompressedSize: false,
    rollupOptions: { output: { entryFileNames: "page.js", assetFileNames: "page[extname]", codeSplitting: false } },
  },
};
