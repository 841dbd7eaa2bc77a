/* Between Python and the C library: the n-th call of these fails, once, with the number that was asked for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int left = 0, number = 0, fired = 0;

/* Let the n-th call from now on fail; 0: none. */
void faults_arm(int n, int error) { left = n; number = error; fired = 0; }
/* Whether it has. */
int faults_fired(void) { return fired; }

static int fails(void) {
    if (left > 0 && --left == 0) { fired = 1; errno = number; return 1; }
    return 0;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define WRAP(type, name, params, args) type name params { REAL(name); if (fails()) return -1; return real args; }
#define MODE(last) mode_t mode = 0; va_list list; va_start(list, last); \
    if (last & (O_CREAT | O_TMPFILE)) mode = va_arg(list, mode_t); va_end(list)

int open(const char *path, int flags, ...) { MODE(flags); REAL(open); if (fails()) return -1; return real(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags); REAL(open64); if (fails()) return -1; return real(path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags); REAL(openat); if (fails()) return -1; return real(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags); REAL(openat64); if (fails()) return -1; return real(at, path, flags, mode); }
WRAP(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
WRAP(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, rename, (const char *from, const char *to), (from, to))
WRAP(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
WRAP(int, renameat2, (int a, const char *from, int b, const char *to, unsigned int flags), (a, from, b, to, flags))
WRAP(int, link, (const char *from, const char *to), (from, to))
WRAP(int, linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
WRAP(int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(int, ftruncate64, (int fd, off64_t size), (fd, size))
WRAP(int, unlink, (const char *path), (path))
WRAP(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
