import { day_ms } from '../time-units.ts'
/** Two-line elements of a satellite: its mean orbit at an epoch, as SGP4 takes it (CelesTrak, "NORAD two-line element set format"). */
export interface ElementSet {
  readonly name: string
  readonly catalog_number: string
  readonly epoch: Date
  /** Revolutions per day. */
  readonly mean_motion: number
  readonly eccentricity: number
  readonly line1: string
  readonly line2: string
}

/** A text that is not an element set, or one of an orbit that SGP4 cannot compute; the message is a sentence. */
export class ElementSetError extends Error {}

const line_length = 69
/** Blanks may stand for leading zeros; exponents have no sign of their own decimal point. */
const line1Format =
  /^1 [ \dA-Z]\d{4}[A-Z ] [\d A-Z]{8} \d{2}[\d ]{3}\.\d{8} [-+ ]\.\d{8} [-+ ][\d ]{5}[-+]\d [-+ ][\d ]{5}[-+]\d \d [\d ]{4}\d$/
const line2Format =
  /^2 [ \dA-Z]\d{4} [\d ]{3}\.\d{4} [\d ]{3}\.\d{4} \d{7} [\d ]{3}\.\d{4} [\d ]{3}\.\d{4} [\d ]{2}\.\d{8}[\d ]{5}\d$/

/** Reads element sets, each of a name and two lines. Throws `ElementSetError` for the first that is invalid. */
export function parseElementSets(text: string): ElementSet[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  if (lines.length % 3 !== 0) throw new ElementSetError('An element set has a name and two lines.')
  const sets: ElementSet[] = []
  for (let at = 0; at < lines.length; at += 3)
    sets.push(parseElementSet(lines[at]!.trim(), lines[at + 1]!, lines[at + 2]!))
  return sets
}

/** Throws `ElementSetError` if a line has another format, a wrong checksum, or is of another satellite. */
export function parseElementSet(name: string, line1: string, line2: string): ElementSet {
  requireLine(name, line1, line1Format)
  requireLine(name, line2, line2Format)
  const catalog_number = line1.slice(2, 7).trim()
  if (line2.slice(2, 7).trim() !== catalog_number)
    throw new ElementSetError(`The lines of "${name}" are of different satellites.`)
  const mean_motion = Number(line2.slice(52, 63))
  if (!(mean_motion > 0)) throw new ElementSetError(`The mean motion of "${name}" must be positive.`)
  const eccentricity = Number(`0.${line2.slice(26, 33)}`)
  return { name, catalog_number, epoch: readEpoch(name, line1), mean_motion, eccentricity, line1, line2 }
}

function requireLine(name: string, line: string, format: RegExp): void {
  if (line.length !== line_length || !format.test(line))
    throw new ElementSetError(`A line of "${name}" does not have the format of two-line elements.`)
  if (checksum(line) !== Number(line.at(-1))) throw new ElementSetError(`A line of "${name}" has a wrong checksum.`)
}

/** The sum of the digits of the first 68 characters, where a minus sign counts 1, modulo 10. */
function checksum(line: string): number {
  let sum = 0
  for (const character of line.slice(0, -1)) sum += character === '-' ? 1 : /\d/.test(character) ? Number(character) : 0
  return sum % 10
}

/** Years 57 to 99 are of the last century, the first of space flight. */
function readEpoch(name: string, line1: string): Date {
  const short = Number(line1.slice(18, 20))
  const day = Number(line1.slice(20, 32))
  if (!(day >= 1 && day < 367)) throw new ElementSetError(`The epoch of "${name}" is not a day of a year.`)
  return new Date(Date.UTC(short < 57 ? 2000 + short : 1900 + short, 0, 1) + (day - 1) * day_ms)
}
