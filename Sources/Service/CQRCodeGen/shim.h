// Debian's libqrcodegen-dev. The library itself is linked statically, by the target that uses it.
#include <qrcodegen/qrcodegen.h>
