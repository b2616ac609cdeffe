// The data of ICU in Foundation, 34 MB of names, formats and collations of all languages, replaced by a package without an
// entry (decision record 45). A program that is linked statically takes this symbol, and leaves ICU's object in its archive;
// elsewhere Foundation is a library with its own data. With another version of ICU, and thus another symbol, all of it is
// linked again.
#if defined(__linux__) && defined(__OPTIMIZE__)
#include <stdint.h>

// The head of a data package and an empty table of contents: `DataHeader` and `UDataOffsetTOC` of ICU's ucmndata.h.
struct unicode_data {
    uint16_t head_size;
    uint8_t magic[2];
    uint16_t info_size, reserved;
    uint8_t is_big_endian, charset_family, char_size, reserved_byte;
    uint8_t format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t entry_count, offsets[3];
};

extern const struct unicode_data icudt76_dat;

_Alignas(16) const struct unicode_data icudt76_dat = {
    .head_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .char_size = 2,
    .format = {'C', 'm', 'n', 'D'},
    .format_version = {1},
};
#endif
