import { VectorFailure } from '../vector-failure.ts'
import type { VectorField, VectorFieldType, VectorLimits } from '../vector-file.ts'

/** The validated properties of a feature. */
export type FeatureProperties = Readonly<Record<string, unknown>>

/** Collects the fields of features. */
export interface FeatureFieldCollector {
  add(properties: FeatureProperties): void
  list(): VectorField[]
}

export function createFeatureFieldCollector(limits: VectorLimits): FeatureFieldCollector {
  const types = new Map<string, VectorFieldType>()
  return {
    add(properties) {
      for (const [name, value] of Object.entries(properties)) {
        const existing = types.get(name)
        types.set(name, existing === undefined ? fieldTypeOf(value) : mergeTypes(existing, fieldTypeOf(value)))
      }
      if (types.size > limits.fields) throw createTooManyFieldsFailure(limits)
    },
    list: () => [...types].map(([name, type]) => ({ name, type })),
  }
}

export const createTooManyFieldsFailure = ({ fields }: VectorLimits): VectorFailure =>
  new VectorFailure(
    'too_large',
    `The features have more than ${fields} different properties. Remove those that are not needed.`,
  )

function fieldTypeOf(value: unknown): VectorFieldType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'string' | 'boolean' | 'object'
}

function mergeTypes(a: VectorFieldType, b: VectorFieldType): VectorFieldType {
  if (a === b || b === 'null') return a
  if (a === 'null') return b
  return [a, b].every((type) => type === 'integer' || type === 'number') ? 'number' : 'mixed'
}

/** Validates the properties of a raw feature; throws `invalid` if they are not an object or are nested too deeply. */
export function validateProperties(value: unknown, limits: VectorLimits): FeatureProperties {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new VectorFailure('invalid', 'Its properties are not a list of names with values.')
  }
  if (isDeeperThan(value, limits.property_depth + 1)) {
    throw new VectorFailure('invalid', `Its properties are nested deeper than ${limits.property_depth} levels.`)
  }
  return value as FeatureProperties
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1))
}
