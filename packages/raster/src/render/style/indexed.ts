import { copyLoopPerSampleType } from '../../sample-loops.ts'
import { sampleTypeProperties, getSampleTypeOfArray } from '../../sample-types.ts'
import type { PixelBlock, SampleArray } from '../../types.ts'
import type { Rgba } from './colour.ts'
import type { Colormap } from './colormap.ts'
import { type ColourOperation, applyColourOperations } from './colour-formula.ts'
import { rescaleSamples } from './stretch.ts'
import type { RescaleRange, ToneOptions } from './stretch.ts'

/** Samples as numbers of colours. */
export interface IndexedSamples {
  /** One a sample; two bytes wide only where the palette has more than 256 entries. */
  readonly indices: Uint8Array | Uint16Array
  /** Four bytes an entry: red, green, blue, alpha. */
  readonly palette: Uint8Array
}

/**
 * Finds the colour of every sample. Categories and intervals have a transparent entry 0 for samples without a colour.
 *
 * @param range the values at the ends of a ramp. Categories and intervals look at raw values, which no tone changes.
 */
export function mapSamplesToColours(
  samples: SampleArray,
  colormap: Colormap,
  range: RescaleRange,
  { colourOperations = [], ...tone }: ToneOptions & { readonly colourOperations?: readonly ColourOperation[] } = {},
): IndexedSamples {
  if (colormap.kind !== 'ramp') return indexBySteps(samples, colormap)
  const indices = new Uint8Array(samples.length)
  rescaleSamples(indices, 0, 1, samples, range, tone)
  applyColourOperations(indices, { colours: 1, stride: 1 }, colourOperations)
  return { indices, palette: colormap.entries }
}

/**
 * Colours the first band of a block: four bands (red, green, blue, alpha). Values without a colour, and masked pixels,
 * are transparent.
 *
 * @param range the values at the ends of a ramp; default 0 and 255.
 */
export function applyColormap(block: PixelBlock, colormap: Colormap, range: RescaleRange = [0, 255]): PixelBlock {
  const count = block.width * block.height
  const { indices, palette } = mapSamplesToColours(block.data.subarray(0, count), colormap, range)
  const data = new Uint8Array(count * 4)
  const mask = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    if (block.mask[i] === 0) continue
    const entry = indices[i]! * 4
    for (let c = 0; c < 4; c++) data[c * count + i] = palette[entry + c]!
    mask[i] = palette[entry + 3] === 0 ? 0 : 255
  }
  return { width: block.width, height: block.height, bands: 4, data, mask }
}

type ByValue = Exclude<Colormap, { kind: 'ramp' }>

function indexBySteps(samples: SampleArray, colormap: ByValue): IndexedSamples {
  const type = getSampleTypeOfArray(samples)
  // Values are written in decimals, and a float32 sample can only be as near to 0.1 as float32 comes.
  const rounded = type === 'float32' ? Math.fround : (value: number): number => value
  const palette = createPalette()
  const steps = stepsOf(colormap, palette, rounded)
  const colours = Uint8Array.from(palette.colours.flat())
  const indices = new (palette.colours.length > 256 ? Uint16Array : Uint8Array)(samples.length)
  const { bits, lowest, format } = sampleTypeProperties[type]
  if (format === 3 || bits > 16) searchLoop[type](indices, samples, steps, countBreaks(steps))
  else tableLoop[type](indices, samples, tableOf(steps, lowest, 2 ** bits), lowest)
  return { indices, palette: colours }
}

interface Palette {
  readonly colours: Rgba[]
  /** The number of a colour, which is added if it is new. */
  readonly number: (colour: Rgba) => number
}

function createPalette(): Palette {
  const colours: Rgba[] = [[0, 0, 0, 0]]
  const known = new Map<string, number>()
  const number = (colour: Rgba): number => {
    const key = colour.join()
    const found = known.get(key)
    if (found !== undefined) return found
    known.set(key, colours.length)
    return colours.push(colour) - 1
  }
  return { colours, number }
}

/**
 * Breaks in rising order, each with the number of the colour from there to the next one; below the first there is none.
 * With exact steps, only the break itself has the colour.
 */
interface Steps {
  readonly breaks: Float64Array
  readonly colours: Uint16Array
  readonly isExact: boolean
}

function stepsOf(colormap: ByValue, palette: Palette, rounded: (value: number) => number): Steps {
  if (colormap.kind === 'intervals') return stepsOfIntervals(colormap.steps, palette, rounded)
  const numbers = new Map<number, number>()
  for (const [value, colour] of colormap.colours) numbers.set(rounded(value), palette.number(colour))
  const breaks = Float64Array.from(numbers.keys()).sort()
  return { breaks, colours: Uint16Array.from(breaks, (value) => numbers.get(value)!), isExact: true }
}

/** Intervals may overlap, and the one named first counts: they are laid over each other from the last to the first. */
function stepsOfIntervals(
  intervals: readonly (readonly [low: number, high: number, colour: Rgba])[],
  palette: Palette,
  rounded: (value: number) => number,
): Steps {
  const ends = intervals.map(([low, high]) => [rounded(low), rounded(high)] as const)
  const breaks = Float64Array.from(new Set(ends.flat())).sort()
  const places = new Map(Array.from(breaks, (value, index) => [value, index]))
  const numbers = intervals.map(([, , colour]) => palette.number(colour))
  const colours = new Uint16Array(breaks.length)
  for (let i = ends.length - 1; i >= 0; i--)
    colours.fill(numbers[i]!, places.get(ends[i]![0])!, places.get(ends[i]![1])!)
  return { breaks, colours, isExact: false }
}

/** The number of the colour of each whole value from `lowest` on. */
function tableOf({ breaks, colours, isExact }: Steps, lowest: number, length: number): Uint16Array {
  const table = new Uint16Array(length)
  const placeOf = (value: number): number => Math.min(Math.max(Math.ceil(value) - lowest, 0), length)
  for (let i = 0; i < breaks.length; i++) {
    const value = breaks[i]!
    if (!isExact) table.fill(colours[i]!, placeOf(value), placeOf(breaks[i + 1] ?? value))
    else if (Number.isInteger(value) && value >= lowest && value < lowest + length) table[value - lowest] = colours[i]!
  }
  return table
}

const tableLoop = copyLoopPerSampleType(
  (out: Uint8Array | Uint16Array, samples: SampleArray, table: Uint16Array, lowest: number): void => {
    for (let i = 0; i < samples.length; i++) out[i] = table[samples[i]! - lowest]!
  },
)

const bucket_count = 1024

/** Counts the breaks at or below each of evenly spread values, from the first break to the last. */
function countBreaks({ breaks }: Steps): { counts: Uint16Array; bucketsPerUnit: number } {
  const first = breaks[0]!
  const bucketsPerUnit = bucket_count / (breaks.at(-1)! - first)
  let below = 0
  const counts = Uint16Array.from({ length: bucket_count + 1 }, (_, bucket) => {
    while (below < breaks.length && breaks[below]! <= first + bucket / bucketsPerUnit) below++
    return below
  })
  return { counts, bucketsPerUnit }
}

/**
 * Looks for the last break at or below a value. The bucket of the value, give or take one for rounding, leaves few to look
 * through; equal neighbours save the search.
 */
const searchLoop = copyLoopPerSampleType(
  (
    out: Uint8Array | Uint16Array,
    samples: SampleArray,
    { breaks, colours, isExact }: Steps,
    { counts, bucketsPerUnit }: { counts: Uint16Array; bucketsPerUnit: number },
  ): void => {
    const first = breaks[0]!
    const buckets = counts.length - 1
    let last = 0 / 0
    let colour = 0
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i]!
      if (value !== last) {
        let from = 0
        let to = breaks.length
        const bucket = (value - first) * bucketsPerUnit
        if (bucket >= 1 && bucket < buckets - 2) {
          from = counts[(bucket | 0) - 1]!
          to = counts[(bucket | 0) + 2]!
        }
        while (from < to) {
          const middle = (from + to) >>> 1
          if (breaks[middle]! <= value) from = middle + 1
          else to = middle
        }
        colour = from === 0 || (isExact && breaks[from - 1] !== value) ? 0 : colours[from - 1]!
        last = value
      }
      out[i] = colour
    }
  },
)
