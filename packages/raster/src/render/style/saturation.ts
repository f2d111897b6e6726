import { checkCancelled } from '../../failures.ts'

/**
 * Multiplies the chroma of pixels in CIE LCh(ab) in place, cut off to whole bytes. The constants and the order of the
 * computation are those of rio-color, so that even a shade on the edge between two bytes, such as every grey, falls alike.
 *
 * @param stride bytes from the red of a pixel to that of the next; green and blue follow red.
 * @throws RasterFailure `cancelled`: an image of many colours takes seconds.
 */
export function saturatePixels(
  data: Uint8Array,
  { stride, signal }: { readonly stride: number; readonly signal?: AbortSignal | undefined },
  proportion: number,
): void {
  // A conversion costs ten powers, and an image has its colours many times.
  const keys = new Int32Array(cache_entries).fill(-1)
  const colours = new Int32Array(cache_entries)
  for (let from = 0; from < data.length; from += stride * pixels_between_checks) {
    checkCancelled(signal)
    const end = Math.min(data.length, from + stride * pixels_between_checks)
    for (let i = from; i + 2 < end; i += stride) {
      const word = (data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!
      const entry = Math.imul(word, hash_factor) >>> (32 - cache_bits)
      if (keys[entry] !== word) {
        keys[entry] = word
        colours[entry] = saturateColour(data[i]!, data[i + 1]!, data[i + 2]!, proportion)
      }
      const colour = colours[entry]!
      data[i] = colour >> 16
      data[i + 1] = colour >> 8
      data[i + 2] = colour
    }
  }
}

/** Some ten milliseconds. */
const pixels_between_checks = 65_536

const cache_bits = 14
const cache_entries = 1 << cache_bits
/** The golden ratio of 32 bits, which spreads neighbouring colours. */
const hash_factor = 0x9e3779b1

const white_x = 0.95047
const white_z = 1.08883
const delta = 6 / 29
const intercept = 4 / 29

/** The colour as three bytes in one number. */
function saturateColour(red: number, green: number, blue: number, proportion: number): number {
  const [r, g, b] = [lightOf[red]!, lightOf[green]!, lightOf[blue]!]
  const fx = toLab((r * 0.4124564 + g * 0.3575761 + b * 0.1804375) / white_x)
  const fy = toLab(r * 0.2126729 + g * 0.7151522 + b * 0.072175)
  const fz = toLab((r * 0.0193339 + g * 0.119192 + b * 0.9503041) / white_z)
  const a = 500 * (fx - fy)
  const bb = 200 * (fy - fz)
  const chroma = Math.sqrt(a * a + bb * bb) * proportion
  const hue = Math.atan2(bb, a)
  const lightness = (116 * fy - 16 + 16) / 116
  const x = fromLab(lightness + (chroma * Math.cos(hue)) / 500) * white_x
  const y = fromLab(lightness)
  const z = fromLab(lightness - (chroma * Math.sin(hue)) / 200) * white_z
  return (
    (toByte(x * 3.2404542 + y * -1.5371385 + z * -0.4985314) << 16) |
    (toByte(x * -0.969266 + y * 1.8760108 + z * 0.041556) << 8) |
    toByte(x * 0.0556434 + y * -0.2040259 + z * 1.0572252)
  )
}

const toLab = (value: number): number => (value > delta ** 3 ? value ** (1 / 3) : (delta ** -2 / 3) * value + intercept)

const fromLab = (value: number): number => (value > delta ? value ** 3 : 3 * delta * delta * (value - intercept))

/** The amount of light, 0 to 1, of each byte of sRGB. */
const lightOf = Float64Array.from({ length: 256 }, (_, byte) => {
  const shade = byte / 255
  return shade <= 0.04045 ? shade / 12.92 : ((shade + 0.055) / 1.055) ** 2.4
})

function toByte(light: number): number {
  const shade = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
  return shade > 0 ? (shade < 1 ? Math.trunc(shade * 255) : 255) : 0
}
