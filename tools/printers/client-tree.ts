import type { Operation } from '../../packages/contract/src/operation.ts'
import { commonProblems } from '../../packages/contract/src/problems.ts'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { classOfProblem } from './client-problems.ts'
import { generatedNotice } from './client-types.ts'
import { toPlainSchema } from './json-schema.ts'
import { buildOperationTree, type OperationNode } from './operation-nodes.ts'
import { indent } from './type-text.ts'

/** The field of a page that has its rows: `features` of a collection of features, else the only list. */
export function rowsField({ id, output }: Pick<Operation, 'id' | 'output'>): string {
  const { properties = {} } = toPlainSchema(output)
  const lists = Object.keys(properties).filter((name) => properties[name]?.type === 'array')
  const field = lists.includes('features') ? 'features' : lists.length === 1 ? lists[0] : undefined
  if (field === undefined) throw new Error(`${id} is paged and has not one list of rows: ${lists.join(', ')}.`)
  return field
}

/** True if the input has a bound of the price. */
export const hasPrice = ({ input }: Operation): boolean =>
  Object.hasOwn(toPlainSchema(input).properties ?? {}, 'max_credits')

function returnType(operation: Operation): string {
  const { id, response_kind, paging } = operation
  const output = `OutputOf<'${id}'>`
  if (response_kind === 'bytes') return 'Promise<Uint8Array>'
  if (response_kind !== 'json') return `AsyncGenerator<${output}>`
  return paging === null ? `Promise<${output}>` : `PagedCall<${output}, ${output}['${rowsField(operation)}'][number]>`
}

const signature = (operation: Operation): string => {
  const required = toPlainSchema(operation.input).required ?? []
  const options = hasPrice(operation) ? 'SpendOptions' : operation.response_kind === 'event-stream' ? 'EventStreamOptions' : 'CallOptions' // prettier-ignore
  return `(input${required.length === 0 ? '?' : ''}: InputOf<'${operation.id}'>, options?: ${options}): ${returnType(operation)}`
}

/** What an editor shows of an operation. */
function describe({ id, summary, scope, effect, problems }: Operation): string {
  const thrown = problems.filter((name) => !commonProblems.includes(name)).map(classOfProblem)
  return [
    '/**',
    ` * ${summary.replaceAll('*/', '*\\/')}`,
    ' *',
    ` * Operation \`${id}\`; scope ${scope === null ? 'of any token' : `\`${scope}\``}; effect \`${effect}\`.`,
    ...(thrown.length === 0 ? [] : [` * @throws ${thrown.map((name) => `{@link ${name}}`).join(', ')}`]),
    ' */',
  ].join('\n')
}

function printMembers({ children }: OperationNode): string[] {
  return [...children].map(([name, node]) => {
    const inner = printMembers(node)
    const { operation } = node
    if (operation && inner.length === 0) return `${describe(operation)}\n${name}${signature(operation)}`
    const call = operation ? [`${describe(operation)}\n${signature(operation)}`] : []
    return `readonly ${name}: {\n  ${[...call, ...inner].map(indent).join('\n  ')}\n}`
  })
}

/** The operations of the effect `spend` whose input has no bound of the price. */
export const listUnpriced = (): string[] =>
  operationRegistry
    .filter((operation) => operation.effect === 'spend' && !hasPrice(operation))
    .map((operation) => operation.id)

/** Prints the operations as a tree by id. */
export function printClientTree(): string {
  const members = printMembers(buildOperationTree(operationRegistry))
  const text = members.map(indent).join('\n  ')
  const classes = [...new Set([...text.matchAll(/\{@link (\w+)\}/g)].map(([, name]) => name!))].toSorted()
  return [
    generatedNotice,
    "import type { CallOptions, EventStreamOptions } from './client.ts'",
    `import type {\n  ${classes.join(',\n  ')},\n} from './errors/problem-classes.ts'`,
    "import type { InputOf, OutputOf } from './operations.ts'",
    "import type { PagedCall } from './paging/paged-call.ts'",
    "import type { SpendOptions } from './spends.ts'",
    '',
    '/** The operations as a tree by id: `orders.archive.place` is a method of `orders.archive`. */',
    'export interface OperationTree {',
    `  ${text}`,
    '}',
    '',
    '/** Spends whose price was held by a call before: they have no `max_credits`. */',
    'export const spendsWithoutPrice: readonly string[] = [',
    ...listUnpriced().map((id) => `  '${id}',`),
    ']',
    '',
  ].join('\n')
}
