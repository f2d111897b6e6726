import { listShapes, type ContractDocument, type ContractShape, type DocumentOperation, type ValueShape } from './contract-shape.ts' // prettier-ignore

/** The type of a value that is written as JSON text; null for the name of a type. */
const typeOfLiteral = (type: string): string | null =>
  /^["\d-]|^(true|false)$/.test(type) ? typeof JSON.parse(type) : null

/** Whether a value of the type is one of the allowed ones. */
const allows = (allowed: ReadonlySet<string>, type: string): boolean =>
  allowed.has('any') ||
  allowed.has(type) ||
  (type === 'integer' && allowed.has('number')) ||
  allowed.has(typeOfLiteral(type) ?? '')

/** The path of the value that contains it: `rows[]` of `rows[].id`. */
const parentOf = (path: string): string => path.replace(/(?:(?:^|\.)[^.[\]]+|\[\])$/, '')

/** The first path of each value that is only in `from`: the members of a removed value are not listed. */
const listGone = (from: ContractShape, to: ContractShape): string[] =>
  [...from.keys()].filter((path) => !to.has(path) && (path === '' || to.has(parentOf(path))))

const named = (path: string): string => (path === '' ? 'the whole' : path)

/** Why values that were accepted at a path are refused. */
function describeNarrowing(path: string, before: ValueShape, after: ValueShape): string[] {
  const refused = [...before.types].filter((type) => !allows(after.types, type))
  const tighter = [
    ...Object.entries(after.upper).filter(([word, value]) => value < (before.upper[word] ?? Infinity)),
    ...Object.entries(after.lower).filter(([word, value]) => value > (before.lower[word] ?? -Infinity)),
  ]
  return [
    ...refused.map((type) => `no longer accepts ${type} as ${named(path)}`),
    ...tighter.map(([word, value]) => `has ${word} ${value} for ${named(path)} now`),
    ...[...after.forms]
      .filter((form) => ![...before.forms].some((former) => isAsWide(form, former)))
      .map((form) => `has ${form} for ${named(path)} now`),
    ...(after.required && !before.required ? [`requires ${named(path)} now`] : []),
  ]
}

/** The lists of words of a pattern such as `^(name|size),(asc|desc)$`, with what is between them; null for another pattern. */
const parseWordLists = (form: string): { readonly between: string; readonly lists: readonly string[][] } | null => {
  const lists = [...form.matchAll(/\(([\w.|]+)\)/g)].map(([, words]) => words!.split('|'))
  const between = form.replaceAll(/\([\w.|]+\)/g, '()')
  return /^pattern \^[(),]+\$$/.test(between) ? { between, lists } : null
}

/** True for the same form, and for a pattern of lists of words that has all words of the former one. */
function isAsWide(form: string, former: string): boolean {
  if (form === former) return true
  const [now, before] = [parseWordLists(form), parseWordLists(former)]
  if (now === null || before === null || now.between !== before.between) return false
  return before.lists.every((words, index) => words.every((word) => now.lists[index]!.includes(word)))
}

function compareInputs(before: ContractShape, after: ContractShape): string[] {
  const added = listGone(after, before).filter((path) => after.get(path)!.required)
  return [
    ...listGone(before, after).map((path) => `no longer accepts ${named(path)}`),
    ...added.map((path) => `requires ${named(path)} now`),
    ...[...before].flatMap(([path, shape]) =>
      after.has(path) ? describeNarrowing(path, shape, after.get(path)!) : [],
    ),
  ]
}

/**
 * Describes the new types at a path of an output. A longer list of values is not reported: states and event types are
 * added.
 */
function describeWidening(path: string, before: ValueShape, after: ValueShape): string[] {
  const literalTypes = new Set([...before.types].map(typeOfLiteral))
  const added = [...after.types].filter(
    (type) => !allows(before.types, type) && !literalTypes.has(typeOfLiteral(type) ?? 'none'),
  )
  return [
    ...added.map((type) => `may return ${type} as ${named(path)} now`),
    ...(before.required && !after.required ? [`may omit ${named(path)} now`] : []),
  ]
}

const compareOutputs = (before: ContractShape, after: ContractShape): string[] => [
  ...listGone(before, after).map((path) => `no longer returns ${named(path)}`),
  ...[...before].flatMap(([path, shape]) => (after.has(path) ? describeWidening(path, shape, after.get(path)!) : [])),
]

type Side = readonly [operation: DocumentOperation, document: ContractDocument]

const inputOf = ([{ requestBody }, document]: Side): ContractShape =>
  listShapes(requestBody.content['application/json']?.schema ?? {}, document)

/** The successful responses by status and media type. */
const outputsOf = ([{ responses }, document]: Side): Map<string, ContractShape> =>
  new Map(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, { schema = {} }]) => [`${status} ${type}`, listShapes(schema, document)]),
      ),
  )

function compareOperations(before: Side, after: Side): string[] {
  const [[old], [now]] = [before, after]
  const outputs = outputsOf(after)
  const callers = now['x-callers'] ?? 'any'
  return [
    ...(old['x-scope'] === now['x-scope'] ? [] : [`requires the scope ${now['x-scope'] ?? '(any token)'} now`]),
    ...(old['x-effect'] === now['x-effect'] ? [] : [`has the effect ${now['x-effect']} now`]),
    ...(callers === 'any' || callers === old['x-callers'] ? [] : [`is for ${callers} now`]),
    ...old['x-addresses'].filter((url) => !now['x-addresses'].includes(url)).map((url) => `is no longer at ${url}`),
    ...compareInputs(inputOf(before), inputOf(after)),
    ...[...outputsOf(before)].flatMap(([kind, shape]) =>
      outputs.has(kind) ? compareOutputs(shape, outputs.get(kind)!) : [`no longer returns ${kind}`],
    ),
  ]
}

/**
 * Lists what a client of the first document can no longer do with the second, each as a sentence that begins with the
 * id of an operation: removed operations, URLs, fields and values, inputs that are required or refused, outputs that
 * may be absent or of another type.
 */
export function findBreakingChanges(before: ContractDocument, after: ContractDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, { post }]) => {
    const now = after.paths[path]?.post
    if (now === undefined) return [`${post.operationId} is no longer there`]
    return compareOperations([post, before], [now, after]).map((change) => `${post.operationId} ${change}`)
  })
}
