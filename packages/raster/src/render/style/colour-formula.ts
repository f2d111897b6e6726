import { LRUCache } from 'lru-cache'
import { RasterFailure } from '../../failures.ts'
import { saturatePixels } from './saturation.ts'

/** One operation of a colour formula, as plain values that can be sent to another thread. */
export type ColourOperation = ChannelOperation | SaturationOperation

/** An operation on single channels: 0 is red (or the only one), 1 green, 2 blue. */
export type ChannelOperation =
  | { readonly name: 'gamma'; readonly channels: readonly number[]; readonly gamma: number }
  | {
      readonly name: 'sigmoidal'
      readonly channels: readonly number[]
      /** Above 0 steepens the middle, below 0 flattens it. */
      readonly contrast: number
      /** The shade, 0 to 1, where it is steepest. */
      readonly bias: number
    }

export interface SaturationOperation {
  readonly name: 'saturation'
  /** 1 changes nothing, 0 is grey. */
  readonly proportion: number
}

const max_characters = 200
const max_operations = 10
const max_gamma = 20
const max_contrast = 100
const max_proportion = 10
const howToWrite = 'write operations as in “gamma RGB 1.2 saturation 1.3 sigmoidal RGB 6 0.35”'

type ArgumentReader = (words: readonly string[]) => ColourOperation

/** The number of words after the name of each operation, and how they are read. */
const operationReaders: Readonly<Record<string, { readonly words: number; readonly read: ArgumentReader }>> = {
  gamma: {
    words: 2,
    read: ([bands, gamma]) => ({
      name: 'gamma',
      channels: readChannels(bands!),
      gamma: readNumber(gamma!, 'gamma', 1 / max_gamma, max_gamma),
    }),
  },
  sigmoidal: {
    words: 3,
    read: ([bands, contrast, bias]) => ({
      name: 'sigmoidal',
      channels: readChannels(bands!),
      contrast: readNumber(contrast!, 'the contrast of sigmoidal', -max_contrast, max_contrast),
      bias: readNumber(bias!, 'the bias of sigmoidal', 0, 1),
    }),
  },
  saturation: {
    words: 1,
    read: ([proportion]) => ({
      name: 'saturation',
      proportion: readNumber(proportion!, 'saturation', 0, max_proportion),
    }),
  },
}

/**
 * Reads a colour formula in the notation of rio-color, which rio-tiler and TiTiler call `color_formula`: operations after
 * one another, with commas or without.
 *
 * @throws RasterFailure `request` for anything else.
 */
export function parseColourFormula(text: string): ColourOperation[] {
  if (text.length > max_characters)
    throw new RasterFailure('request', `a colour formula has at most ${max_characters} characters`)
  const words = text.replaceAll(',', ' ').trim().split(/\s+/)
  const operations: ColourOperation[] = []
  for (let at = 0; at < words.length;) {
    const name = words[at]!.toLowerCase()
    if (!Object.hasOwn(operationReaders, name))
      throw new RasterFailure('request', `“${words[at]!.slice(0, 40)}” is no colour operation; ${howToWrite}`)
    const { words: count, read } = operationReaders[name]!
    const rest = words.slice(at + 1, at + 1 + count)
    if (rest.length < count) throw new RasterFailure('request', `${name} is incomplete; ${howToWrite}`)
    operations.push(read(rest))
    at += 1 + count
  }
  if (operations.length > max_operations)
    throw new RasterFailure('request', `a colour formula has at most ${max_operations} operations`)
  return operations
}

function readNumber(word: string, what: string, min: number, max: number): number {
  const value = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(word) ? Number(word) : NaN
  if (!(value >= min && value <= max))
    throw new RasterFailure('request', `${what} is a number from ${min} to ${max}, not “${word.slice(0, 40)}”`)
  return value
}

/** Letters or numbers of bands, such as `RGB`, `g` or `13`. */
function readChannels(word: string): number[] {
  const channels = Array.from(word.toLowerCase(), (letter) => {
    const at = 'rgb'.indexOf(letter)
    return at >= 0 ? at : '123'.indexOf(letter)
  })
  if (channels.includes(-1) || channels.length > 3)
    throw new RasterFailure('request', `“${word.slice(0, 40)}” names no bands; write R, G and B, as in RGB`)
  return [...new Set(channels)].toSorted()
}

/** Ends with a `request` failure unless the operations fit an image of one colour or three. */
export function checkColourOperations(operations: readonly ColourOperation[], colours: number): void {
  for (const operation of operations) {
    if (operation.name === 'saturation' && colours !== 3)
      throw new RasterFailure('request', 'saturation needs three bands, and one is shown')
    if (operation.name !== 'saturation' && operation.channels.every((channel) => channel >= colours))
      throw new RasterFailure('request', `${operation.name} names a band that is not shown`)
  }
}

/** The bytes of an image: red, green and blue or one shade, with `stride` bytes from a pixel to the next. */
export interface ColourBytes {
  readonly colours: number
  readonly stride: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Applies a formula to stretched bytes in place. Each operation ends in whole bytes, cut off (not rounded), as in rio-tiler,
 * whose results differ by at most 1.
 *
 * @throws RasterFailure `request` for operations that do not fit, `cancelled` once the signal aborts.
 */
export function applyColourOperations(
  data: Uint8Array,
  { colours, stride, signal }: ColourBytes,
  operations: readonly ColourOperation[],
): void {
  checkColourOperations(operations, colours)
  for (const operation of operations) {
    if (operation.name === 'saturation') saturatePixels(data, { stride, signal }, operation.proportion)
    else {
      const table = tableOf(operation)
      for (const channel of operation.channels) if (channel < colours) lookUpEvery(data, channel, stride, table)
    }
  }
}

function lookUpEvery(data: Uint8Array, from: number, stride: number, table: Uint8Array): void {
  for (let i = from; i < data.length; i += stride) data[i] = table[data[i]!]!
}

const tables = new LRUCache<string, Uint8Array>({ max: 64 })

function tableOf(operation: ChannelOperation): Uint8Array {
  const key = operation.name === 'gamma' ? `${operation.gamma}` : `${operation.contrast} ${operation.bias}`
  const known = tables.get(key)
  if (known) return known
  const bend =
    operation.name === 'gamma'
      ? (shade: number): number => shade ** (1 / operation.gamma)
      : createSigmoidal(operation.contrast, operation.bias)
  const table = Uint8Array.from({ length: 256 }, (_, byte) => Math.min(255, Math.max(0, bend(byte / 255) * 255)))
  tables.set(key, table)
  return table
}

/** The sigmoidal contrast of ImageMagick and rio-color, scaled so that 0 and 1 stay. */
function createSigmoidal(contrast: number, bias: number): (shade: number) => number {
  if (contrast === 0) return (shade) => shade
  const middle = bias === 0 ? Number.EPSILON : bias
  const slope = Math.abs(contrast)
  const sigmoid = (shade: number): number => 1 / (1 + Math.exp(slope * (middle - shade)))
  const [low, high] = [sigmoid(0), sigmoid(1)]
  if (contrast > 0) return (shade) => (sigmoid(shade) - low) / (high - low)
  return (shade) => middle - Math.log(1 / (shade * (high - low) + low) - 1) / slope
}
