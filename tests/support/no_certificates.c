/* SPDX-License-Identifier: Apache-2.0 */
/* Criterion shows differences of texts with libgit2, which reads all certificates of the machine
 * when it is loaded: 10 ms of each of 4000 test cases, 30 ms with sanitizers. No test needs them. A
 * program's own function is taken before that of a library. */
int mbedtls_x509_crt_parse_file(void *chain, const char *path);

int mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
    (void)chain;
    (void)path;
    return 0;
}
