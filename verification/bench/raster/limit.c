/*
 * The limit of a cold tile in C: inflates the blocks with libdeflate and encodes the images with libspng, one after the
 * other. limit <input> <rounds> prints `{"inflate_ms": …, "encode_ms": …, "png_bytes": …}`, CPU milliseconds of all
 * blocks and images, minimum of the rounds.
 *
 * Input, little-endian: number of blocks, and for each its length, its inflated length and its bytes; number of images,
 * and for each width, height, channels (3 or 4) and its bytes. Numbers are of 32 bits.
 */
#include <libdeflate.h>
#include <spng.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint8_t *at;

static uint32_t number(void) {
  uint32_t value;
  memcpy(&value, at, 4);
  at += 4;
  return value;
}

static double cpu_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void fail(const char *what) {
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

static void inflate_blocks(void) {
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  for (uint32_t blocks = number(); blocks > 0; blocks--) {
    uint32_t length = number(), inflated = number();
    uint8_t *to = malloc(inflated);
    if (libdeflate_zlib_decompress(decompressor, at, length, to, inflated, NULL) != LIBDEFLATE_SUCCESS) fail("inflating");
    free(to);
    at += length;
  }
  libdeflate_free_decompressor(decompressor);
}

/* The settings of our encoder: one filter, run-length matching, the lowest level. */
static size_t encode_images(void) {
  size_t bytes = 0;
  for (uint32_t images = number(); images > 0; images--) {
    struct spng_ihdr header = {.width = number(), .height = number(), .bit_depth = 8};
    uint32_t channels = number();
    header.color_type = channels == 4 ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA : SPNG_COLOR_TYPE_TRUECOLOR;
    size_t length = (size_t)header.width * header.height * channels, png_length;
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 1);
    spng_set_option(context, SPNG_IMG_COMPRESSION_STRATEGY, 3);
    spng_set_option(context, SPNG_IMG_MEM_LEVEL, 9);
    spng_set_option(context, SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_UP);
    spng_set_ihdr(context, &header);
    if (spng_encode_image(context, at, length, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE)) fail("encoding");
    int error;
    free(spng_get_png_buffer(context, &png_length, &error));
    bytes += png_length;
    spng_ctx_free(context);
    at += length;
  }
  return bytes;
}

int main(int count, char **words) {
  FILE *file = count == 3 ? fopen(words[1], "rb") : NULL;
  if (!file) fail("opening");
  fseek(file, 0, SEEK_END);
  size_t length = ftell(file);
  rewind(file);
  uint8_t *input = malloc(length);
  if (!input || fread(input, 1, length, file) != length) fail("reading");
  double inflate = 1e9, encode = 1e9;
  size_t bytes = 0;
  for (int round = atoi(words[2]); round > 0; round--) {
    at = input;
    double begin = cpu_ms();
    inflate_blocks();
    double middle = cpu_ms();
    bytes = encode_images();
    double end = cpu_ms();
    if (middle - begin < inflate) inflate = middle - begin;
    if (end - middle < encode) encode = end - middle;
  }
  printf("{\"inflate_ms\": %.3f, \"encode_ms\": %.3f, \"png_bytes\": %zu}\n", inflate, encode, bytes);
}
