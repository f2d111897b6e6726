/** What the sliders set; both are neutral at their default. */
export interface ToneSettings {
  /** 1 changes nothing, 0 is grey. */
  readonly saturation: number
  /** 0 changes nothing; above it steepens the middle of the shades. */
  readonly contrast: number
}

const number = String.raw`([-+]?(?:\d+(?:\.\d*)?|\.\d+))`
const saturation = new RegExp(`^saturation ${number}$`, 'i')
const sigmoidal = new RegExp(`^sigmoidal rgb ${number} ${number}$`, 'i')
/** What undoes the formula of a saved picture. */
const neutralFormula = 'gamma RGB 1'
const defaultBias = '0.5'

/** The operations of a formula, each as its words with a space between. */
const listOperations = (formula: string | null): string[] =>
  (formula ?? '')
    .replaceAll(/[\s,]+/g, ' ')
    .trim()
    .split(/ (?=[a-z]{4})/i)
    .filter((operation) => operation !== '' && operation !== neutralFormula)

const read = (pattern: RegExp, operations: readonly string[], neutral: number): number => {
  const operation = operations.find((one) => pattern.test(one))
  return operation === undefined ? neutral : Number(pattern.exec(operation)![1])
}

/** The positions of the sliders for a formula, which may have other operations, too. */
export function readTone(formula: string | null): ToneSettings {
  const operations = listOperations(formula)
  return { saturation: read(saturation, operations, 1), contrast: read(sigmoidal, operations, 0) }
}

/**
 * The `color_formula` of the positions: a formula with its first operations of these kinds changed, and all others kept. Neutral
 * positions undo the formula of a saved picture.
 */
export function writeTone({ saturation: proportion, contrast }: ToneSettings, formula: string | null = null): string {
  const operations = listOperations(formula)
  const bias = operations.map((one) => sigmoidal.exec(one)?.[2]).find(Boolean) ?? defaultBias
  const steepened = contrast === 0 && bias === defaultBias ? [] : [`sigmoidal RGB ${contrast} ${bias}`]
  // Contrast comes before saturation, whichever slider moves first.
  const steepAt = operations.findLastIndex((one) => !saturation.test(one)) + 1
  replaceFirst(operations, sigmoidal, steepened, steepAt)
  replaceFirst(operations, saturation, proportion === 1 ? [] : [`saturation ${proportion}`], operations.length)
  return operations.length > 0 ? operations.join(' ') : neutralFormula
}

/** Puts operations in the place of the first that the pattern describes; without one at a place of their own. */
function replaceFirst(operations: string[], pattern: RegExp, made: readonly string[], newAt: number): void {
  const at = operations.findIndex((one) => pattern.test(one))
  operations.splice(at < 0 ? newAt : at, at < 0 ? 0 : 1, ...made)
}
