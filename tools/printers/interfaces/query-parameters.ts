import type { ContractRoute } from '../../../packages/contract/src/routes.ts'
import { nameOfReference, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import type { RouteParameter } from './described-route.ts'

/** The schema itself, of one that may be a reference. */
const resolveSchema = (schema: JsonSchema, { schemas }: NamedSchemas): JsonSchema =>
  schema.$ref === undefined ? schema : (schemas.get(nameOfReference(schema.$ref)) ?? schema)

/** The schemas of which a value has to match one, without null, which no query can have. */
const listVariants = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf ? schema.anyOf.flatMap(listVariants) : schema.type === 'null' ? [] : [schema]

/** Variants that are lists of the same, all with bounds, are one list with the widest of them; null if they are not. */
function joinLists(variants: readonly JsonSchema[]): JsonSchema | null {
  const [{ type, items } = {}] = variants
  const text = JSON.stringify(items)
  const areLists = variants.every((one) => one.type === 'array' && JSON.stringify(one.items) === text)
  const [lengths_min, lengths_max] = ['minItems', 'maxItems'].map((bound) => variants.map((one) => Number(one[bound])))
  if (!areLists || !type || !items || ![...lengths_min!, ...lengths_max!].every(Number.isFinite)) return null
  return {
    type,
    items,
    minItems: Math.min(...lengths_min!),
    maxItems: Math.max(...lengths_max!),
    anyOf: variants.map(({ type: _type, items: _items, ...rest }) => rest),
  }
}

/** Parameters that are written in another way than the fields of a body. */
const stacForms: Readonly<Record<string, Partial<RouteParameter>>> = {
  sortby: {
    schema: { type: 'string', maxLength: 2000 },
    description: 'Fields, separated by commas: descending after `-`, else ascending. Defaults to newest first.',
  },
  fields: {
    schema: { type: 'string', maxLength: 40_000 },
    description: 'Members of each item to include, and after `-` to exclude, separated by commas.',
  },
  filter: {
    schema: { type: 'string', maxLength: 100_000 },
    description:
      'A filter in CQL2 text, or in CQL2 JSON. One that is too expensive to evaluate answers `budget-exceeded`.',
  },
  'filter-lang': {
    schema: { type: 'string', enum: ['cql2-text', 'cql2-json'] },
    description: 'By default what the filter looks like.',
  },
  query: { isJson: true },
  intersects: { isJson: true },
}

const max_int32 = 2 ** 31 - 1

/**
 * A query parameter as OGC API - Features asks for it: its type stands in the schema itself, its style is named, and programs that read
 * whole numbers of 32 bits read its bounds.
 */
function toStacParameter({ schema, ...parameter }: RouteParameter, named: NamedSchemas): RouteParameter {
  const { anyOf, ...notes } = resolveSchema(schema, named)
  const variants = anyOf?.flatMap(listVariants) ?? []
  const type = variants.length === 1 ? variants[0] : (joinLists(variants) ?? { anyOf: variants })
  const plain = anyOf ? { ...notes, ...type } : notes
  return {
    ...parameter,
    schema: plain['maximum'] === Number.MAX_SAFE_INTEGER ? { ...plain, maximum: max_int32 } : plain,
    explode: false,
    ...stacForms[parameter.name],
  }
}

/** Fields that a request cannot set: those of the path, of the route, that it ignores, and that the server fills in. */
export function listBoundFields({ path, rename = {}, fixed = {}, ignored = [] }: ContractRoute): Set<string> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => rename[name!] ?? name!)
  return new Set([...inPath, ...Object.keys(fixed), ...ignored, 'base_url', 'if_match'])
}

/** The fields of an operation as parameters of a query. */
export function listQueryParameters(route: ContractRoute, input: JsonSchema, named: NamedSchemas): RouteParameter[] {
  const bound = listBoundFields(route)
  const names = new Map(Object.entries(route.rename ?? {}).map(([name, field]) => [field, name]))
  return Object.entries(input.properties ?? {})
    .filter(([field]) => !bound.has(field))
    .map(([field, { description, ...schema }]) => {
      const { minimum, maximum, default: defaultValue } = route.query?.[field] ?? {}
      const parameter: RouteParameter = {
        name: names.get(field) ?? field,
        in: 'query',
        required: (input.required ?? []).includes(field),
        ...(description === undefined ? {} : { description }),
        schema: {
          ...schema,
          ...(minimum === undefined ? {} : { minimum }),
          ...(maximum === undefined ? {} : { maximum }),
          ...(defaultValue === undefined ? {} : { default: defaultValue }),
        },
      }
      return route.dialect === 'stac' ? toStacParameter(parameter, named) : parameter
    })
}
