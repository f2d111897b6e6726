import type { FieldError } from '../../engine/problem.ts'

/** Style parameters as operations accept them. */
export interface VisualizationProfileStyleParameters {
  readonly expression?: string | null
  readonly bands?: string | null
  readonly rescale?: string | null
  readonly colormap?: string | null
  readonly gamma?: number | null
  readonly stretch?: 'natural' | 'linear' | null
  readonly color_formula?: string | null
}

/** The maximum length of a config as JSON. */
const max_characters = 100_000

const isBandReference = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string'
const max_gamma = 20
const isGamma = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= max_gamma
const isPair = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'number')

/**
 * Converts the structured forms of each parameter to text: bands as a list, rescale as a pair or a list of pairs, a
 * colormap as an object or list. Null for other values.
 */
const textConverters: Readonly<
  Record<Exclude<keyof VisualizationProfileStyleParameters, 'gamma' | 'stretch'>, (value: unknown) => string | null>
> = {
  expression: () => null,
  bands: (value) => (Array.isArray(value) && value.every(isBandReference) ? value.join(',') : null),
  rescale: (value) => {
    if (isPair(value)) return (value as number[]).join(',')
    return Array.isArray(value) && value.length > 0 && value.every(isPair)
      ? (value as number[][]).map((pair) => pair.join(',')).join(';')
      : null
  },
  colormap: (value) => (typeof value === 'object' ? JSON.stringify(value) : null),
  color_formula: () => null,
}

/**
 * Parses the style parameters in the config of a profile. Other members are kept and ignored. Invalid values are returned
 * as errors.
 */
export function parseVisualizationProfileConfig(config: Readonly<Record<string, unknown>>): {
  parameters: VisualizationProfileStyleParameters
  fieldErrors: FieldError[]
} {
  const fieldErrors: FieldError[] = []
  const parameters: Record<string, string | number> = {}
  if (JSON.stringify(config).length > max_characters) {
    return { parameters, fieldErrors: [{ path: 'config', message: `has more than ${max_characters} characters` }] }
  }
  for (const [name, convert] of Object.entries(textConverters)) {
    const value = Object.hasOwn(config, name) ? config[name] : null
    if (value === null || value === undefined) continue
    const text = typeof value === 'string' ? value : convert(value)
    if (text === null) fieldErrors.push({ path: `config.${name}`, message: 'is not a valid style parameter' })
    else parameters[name] = text
  }
  const { gamma, stretch } = config
  if (isGamma(gamma)) parameters['gamma'] = gamma
  else if (gamma !== undefined && gamma !== null)
    fieldErrors.push({ path: 'config.gamma', message: `is not a number above 0, at most ${max_gamma}` })
  if (stretch === 'natural' || stretch === 'linear') parameters['stretch'] = stretch
  else if (stretch !== undefined && stretch !== null)
    fieldErrors.push({ path: 'config.stretch', message: 'is neither natural nor linear' })
  return { parameters, fieldErrors }
}
