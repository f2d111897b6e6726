import type { Operation } from '../../packages/contract/src/operation.ts'
import { operationRegistry } from '../../packages/contract/src/registry.ts'

/** The parts of a JSON schema that decide how a flag reads its value. */
interface FieldSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
}

type ValueKind = 'string' | 'integer' | 'number' | 'boolean' | 'json'

interface FlagValue {
  readonly kind: ValueKind
  readonly choices?: readonly string[]
  readonly list?: true
}

const scalarKinds: readonly ValueKind[] = ['string', 'integer', 'number', 'boolean']

/**
 * One line for each operation, by id: the id, a tab, and what the command line needs to offer it as a command (`OperationEntry` of
 * packages/cli). The command line parses only the line of the command that is called.
 */
export const printCommandTable = (): string =>
  [...operationRegistry]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((operation) => `${operation.id}\t${JSON.stringify(toEntry(operation))}\n`)
    .join('')

function toEntry(operation: Operation): object {
  const { properties = {}, required = [] } = operation.input as FieldSchema
  return {
    summary: operation.summary,
    effect: operation.effect,
    response: operation.response_kind,
    ...(operation.idempotent ? { idempotent: true } : {}),
    ...(operation.paging ? { paging: operation.paging } : {}),
    ...(operation.callers === 'any' ? {} : { callers: operation.callers }),
    fields: Object.entries(properties).map(([name, schema]) => toField(name, schema, required.includes(name))),
  }
}

function toField(name: string, schema: FieldSchema, isRequired: boolean): object {
  const description = findDescription(schema)
  return {
    name,
    ...toFlagValue(schema),
    ...(isRequired ? { required: true } : {}),
    ...(isNullable(schema) ? { nullable: true } : {}),
    ...(schema.default === undefined || schema.default === '' ? {} : { default: schema.default }),
    ...(description === undefined ? {} : { description }),
    ...toVariants(schema),
  }
}

/** The members of each object of a union that its member `kind` tells apart; of others nothing. */
function toVariants({ anyOf = [] }: FieldSchema): { variants?: Record<string, object[]> } {
  const kinds = anyOf.map(({ properties }) => properties?.['kind']?.const)
  if (kinds.length < 2 || !kinds.every((kind) => typeof kind === 'string')) return {}
  const variants = anyOf.map(({ properties = {}, required = [] }, index) => [
    kinds[index],
    // A member with a default may be left out, although it is there in the end.
    Object.entries(properties).map(([name, schema]) => toField(name, schema, required.includes(name) && schema.default === undefined)), // prettier-ignore
  ])
  return { variants: Object.fromEntries(variants) as Record<string, object[]> }
}

/** That of the field, or of the only value that it has besides null. */
const findDescription = (schema: FieldSchema): string | undefined =>
  schema.description ?? listAlternatives(schema).find(({ description }) => description !== undefined)?.description

/** The values that a field may have besides null. */
const listAlternatives = ({ anyOf = [] }: FieldSchema): readonly FieldSchema[] =>
  anyOf.filter(({ type }) => type !== 'null')

const isNullable = ({ anyOf = [] }: FieldSchema): boolean => anyOf.some(({ type }) => type === 'null')

/** How a text becomes the value: as one scalar, as one of a list, or as JSON. */
function toFlagValue(schema: FieldSchema): FlagValue {
  const alternatives = listAlternatives(schema)
  if (alternatives.length === 1) return toFlagValue(alternatives[0]!)
  if (alternatives.length > 1 && alternatives.every(({ const: value }) => typeof value === 'string'))
    return { kind: 'string', choices: alternatives.map(({ const: value }) => String(value)) }
  if (schema.enum?.every((value) => typeof value === 'string')) return { kind: 'string', choices: schema.enum.map(String) } // prettier-ignore
  if (schema.type === 'array') {
    const item = schema.items ? toFlagValue(schema.items) : null
    return item === null || item.list || item.kind === 'json' ? { kind: 'json' } : { ...item, list: true }
  }
  return { kind: scalarKinds.find((kind) => kind === schema.type) ?? 'json' }
}
