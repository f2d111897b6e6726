import { VectorFailure } from '../vector-failure.ts'
import type { Field, FieldType, VectorLimits } from '../vector-file.ts'

/** The validated properties of a feature. */
export type Properties = Readonly<Record<string, unknown>>

/** Collects the fields of features. */
export interface Fields {
  add(properties: Properties): void
  list(): Field[]
}

export function createFields(limits: VectorLimits): Fields {
  const types = new Map<string, FieldType>()
  return {
    add(properties) {
      for (const [name, value] of Object.entries(properties)) {
        const known = types.get(name)
        types.set(name, known === undefined ? typeOf(value) : joined(known, typeOf(value)))
      }
      if (types.size > limits.fields) {
        throw new VectorFailure(
          'too_large',
          `The features have more than ${limits.fields} different properties. Remove those that are not needed.`,
        )
      }
    },
    list: () => [...types].map(([name, type]) => ({ name, type })),
  }
}

function typeOf(value: unknown): FieldType {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'string' | 'boolean' | 'object'
}

function joined(a: FieldType, b: FieldType): FieldType {
  if (a === b || b === 'null') return a
  if (a === 'null') return b
  return [a, b].every((type) => type === 'integer' || type === 'number') ? 'number' : 'mixed'
}

/** Validates the properties of a raw feature; throws `invalid` if they are not an object or are nested too deeply. */
export function normalProperties(value: unknown, limits: VectorLimits): Properties {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new VectorFailure('invalid', 'properties is neither an object nor null.')
  }
  if (depthBeyond(value, limits.property_depth + 1)) {
    throw new VectorFailure('invalid', `properties is nested deeper than ${limits.property_depth} levels.`)
  }
  return value as Properties
}

function depthBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => depthBeyond(member, levels - 1))
}
