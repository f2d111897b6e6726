/*
 * Decoders of JPEG (libjpeg-turbo) and JPEG 2000 (OpenJPEG) as one WebAssembly module, for any number of components.
 *
 * The caller copies the coded bytes to `allocate(length)` and calls a decoder, which returns the address of the samples,
 * pixel after pixel, or 0 where the bytes cannot be decoded; `width`, `height` and `components` describe the last result.
 * A failure inside libjpeg-turbo is a trap: the caller discards the instance with its memory.
 */
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>
#include <openjpeg.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

static uint32_t result_width, result_height, result_components;

uint32_t EXPORT(width)(void) { return result_width; }
uint32_t EXPORT(height)(void) { return result_height; }
uint32_t EXPORT(components)(void) { return result_components; }

void *EXPORT(allocate)(size_t bytes) { return malloc(bytes); }
void EXPORT(release)(void *memory) { free(memory); }

/* Both libraries look for settings in the environment, of which there is none. */
char *getenv(const char *name) { return NULL; }

static void fail(j_common_ptr state) { __builtin_trap(); }

/* Negative levels are warnings: data that ends early or contradicts itself. */
static void emit(j_common_ptr state, int level) {
  if (level < 0) fail(state);
}

/* Three components become RGB where the JPEG says that they are YCbCr; two and four stay what they are. */
uint8_t *EXPORT(decode_jpeg)(const uint8_t *bytes, size_t length) {
  struct jpeg_decompress_struct state;
  struct jpeg_error_mgr errors;
  state.err = jpeg_std_error(&errors);
  errors.error_exit = fail;
  errors.emit_message = emit;
  jpeg_create_decompress(&state);
  jpeg_mem_src(&state, bytes, length);
  jpeg_read_header(&state, TRUE);
  if (state.num_components == 2 || state.num_components == 4) state.out_color_space = state.jpeg_color_space;
  state.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&state);
  result_width = state.output_width;
  result_height = state.output_height;
  result_components = state.output_components;
  size_t stride = (size_t)result_width * result_components;
  uint8_t *samples = malloc(stride * result_height);
  if (!samples) fail(NULL);
  while (state.output_scanline < result_height) {
    JSAMPROW row = samples + stride * state.output_scanline;
    jpeg_read_scanlines(&state, &row, 1);
  }
  jpeg_finish_decompress(&state);
  jpeg_destroy_decompress(&state);
  return samples;
}

typedef struct {
  const uint8_t *bytes;
  size_t length, at;
} Input;

static OPJ_SIZE_T input_read(void *to, OPJ_SIZE_T wanted, void *data) {
  Input *input = data;
  size_t rest = input->length - input->at;
  if (rest == 0) return (OPJ_SIZE_T)-1;
  size_t count = wanted < rest ? wanted : rest;
  memcpy(to, input->bytes + input->at, count);
  input->at += count;
  return count;
}

static OPJ_OFF_T input_skip(OPJ_OFF_T wanted, void *data) {
  Input *input = data;
  OPJ_OFF_T rest = input->length - input->at;
  OPJ_OFF_T count = wanted < rest ? wanted : rest;
  if (count <= 0) return -1;
  input->at += count;
  return count;
}

static OPJ_BOOL input_seek(OPJ_OFF_T at, void *data) {
  Input *input = data;
  if (at < 0 || (size_t)at > input->length) return OPJ_FALSE;
  input->at = at;
  return OPJ_TRUE;
}

/* Decodes all components, or the one of that number alone: then no colours are transformed. */
static opj_image_t *decode_image(const uint8_t *bytes, size_t length, uint32_t reduce, int32_t only) {
  Input input = {bytes, length, 0};
  opj_image_t *image = NULL;
  opj_codec_t *codec = opj_create_decompress(OPJ_CODEC_J2K);
  opj_stream_t *stream = opj_stream_create(length < 65536 ? length : 65536, OPJ_TRUE);
  opj_stream_set_read_function(stream, input_read);
  opj_stream_set_skip_function(stream, input_skip);
  opj_stream_set_seek_function(stream, input_seek);
  opj_stream_set_user_data(stream, &input, NULL);
  opj_stream_set_user_data_length(stream, length);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  parameters.cp_reduce = reduce;
  uint32_t component = only;
  int decoded = opj_setup_decoder(codec, &parameters) && opj_read_header(stream, codec, &image) &&
                (only < 0 || opj_set_decoded_components(codec, 1, &component, OPJ_FALSE)) &&
                opj_decode(codec, stream, image) && opj_end_decompress(codec, stream);
  opj_stream_destroy(stream);
  opj_destroy_codec(codec);
  if (decoded) return image;
  opj_image_destroy(image);
  return NULL;
}

/* Writes one component among `all`; signed samples as their bits, in one byte up to 8 bits and in two beyond. */
static int store(const opj_image_comp_t *from, uint8_t *samples, uint32_t place, uint32_t all) {
  if (!from->data || from->w != result_width || from->h != result_height) return 0;
  size_t count = (size_t)from->w * from->h;
  uint16_t *words = (uint16_t *)samples;
  if (from->prec <= 8)
    for (size_t i = 0; i < count; i++) samples[i * all + place] = from->data[i];
  else
    for (size_t i = 0; i < count; i++) words[i * all + place] = from->data[i];
  return 1;
}

/*
 * Decodes a codestream of one tile, halved `reduce` times. Components that are not transformed together are decoded one
 * after the other, because the decoder holds four bytes for every sample of those that it decodes at once.
 */
uint8_t *EXPORT(decode_jpeg2000)(const uint8_t *bytes, size_t length, uint32_t reduce, uint32_t count, int together) {
  uint8_t *samples = NULL;
  int complete = 1;
  for (uint32_t first = 0; complete && first < count; first += together ? count : 1) {
    opj_image_t *image = decode_image(bytes, length, reduce, together ? -1 : (int32_t)first);
    complete = image && image->numcomps == (together ? count : 1);
    if (complete && !samples) {
      result_width = image->comps[0].w;
      result_height = image->comps[0].h;
      result_components = count;
      samples = malloc((size_t)result_width * result_height * count * (image->comps[0].prec <= 8 ? 1 : 2));
      complete = samples != NULL;
    }
    for (uint32_t i = 0; complete && i < image->numcomps; i++)
      complete = store(&image->comps[i], samples, first + i, count);
    if (image) opj_image_destroy(image);
  }
  if (complete) return samples;
  free(samples);
  return NULL;
}
