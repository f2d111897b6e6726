import type { Operation } from '../../../packages/contract/src/operation.ts'
import { commonProblems } from '../../../packages/contract/src/problems.ts'
import { operationRegistry } from '../../../packages/contract/src/registry.ts'
import { hasPrice } from '../client-tree.ts'
import { buildOperationTree, type OperationNode } from '../operation-nodes.ts'
import { className, docstring, generatedHeader, identifier, quote } from './names.ts'
import { classOfProblem } from './problems.ts'
import type { PythonParameter, PythonSignature, PythonTypes } from './types.ts'

/** An argument that says how an operation is called. */
interface CallOption {
  readonly name: string
  readonly type: string
  readonly description: string
}

const timeLimit: CallOption = { name: 'timeout_s', type: 'float | None', description: 'Time limit of each attempt in seconds.' } // prettier-ignore
const retries: CallOption = { name: 'max_retries', type: 'int | None', description: 'How often the call may be repeated.' } // prettier-ignore
const price: CallOption = { name: 'price', type: 'Price | None', description: 'The output of a quote or an estimate, which the call may not exceed.' } // prettier-ignore
const key: CallOption = { name: 'idempotency_key', type: 'str | None', description: 'Calls with the same key have one effect; by default a new one.' } // prettier-ignore

function listOptions(operation: Operation): CallOption[] {
  const isCall = operation.response_kind === 'json'
  const ofSpends = operation.effect === 'spend' && hasPrice(operation) ? [price] : []
  return [...ofSpends, ...(operation.idempotent && isCall ? [key] : []), timeLimit, retries]
}

const optional = ({ name, type }: CallOption): string => `${name}: ${type} = None`

function parameterText({ name, type, isRequired }: PythonParameter): string {
  return isRequired ? `${name}: ${type}` : `${name}: ${type} | Unset = UNSET`
}

function describe(operation: Operation, { parameters }: PythonSignature, options: readonly CallOption[]): string {
  const { id, summary, scope, effect, problems } = operation
  const argumentLines = [...parameters, ...options].flatMap(({ name, description }) =>
    description ? [`    ${name}: ${description.replaceAll('\n', ' ')}`] : [],
  )
  const raised = problems.filter((name) => !commonProblems.includes(name)).map(classOfProblem)
  return [
    summary,
    '',
    `Operation \`${id}\`; scope ${scope === null ? 'of any token' : `\`${scope}\``}; effect \`${effect}\`.`,
    ...(argumentLines.length === 0 ? [] : ['', 'Args:', ...argumentLines]),
    ...(raised.length === 0 ? [] : ['', 'Raises:', ...raised.map((name) => `    ${name}`)]),
  ].join('\n')
}

const indent = (lines: readonly string[], indentation: string): string[] =>
  lines.map((line) => (line === '' ? '' : `${indentation}${line}`))

/** What a method does, by the kind of its response. */
function bodyOf(operation: Operation, { output, row }: PythonSignature, options: readonly CallOption[]): string[] {
  const passed = options.map(({ name }) => `${name}=${name}`).join(', ')
  const call = (method: string): string => `self._client.${method}(${quote(operation.id)}, input, ${passed})`
  if (operation.response_kind === 'bytes') return [`return await ${call('call_bytes')}`]
  if (operation.response_kind === 'ndjson') return [`return ${call('lines')}`]
  if (operation.response_kind === 'event-stream') return [`return ${call('events')}`]
  if (row === null) return [`output: ${output} = await ${call('call')}`, 'return output']
  return [
    `async def request(input: dict[str, Any]) -> ${output}:`,
    `    page: ${output} = await ${call('call')}`,
    '    return page',
    '',
    `return AsyncPages(request, input, ${quote(operation.paging!)})`,
  ]
}

function returnType({ response_kind }: Operation, { output, row }: PythonSignature): string {
  if (response_kind === 'bytes') return 'bytes'
  if (response_kind !== 'json') return `AsyncIterator[${output}]`
  return row === null ? output : `AsyncPages[${output}, ${row}]`
}

function printMethod(name: string, operation: Operation, signature: PythonSignature): string {
  const options = listOptions(operation)
  const { parameters } = signature
  const collision = options.find((option) => parameters.some((parameter) => parameter.name === option.name))
  if (collision) throw new Error(`${operation.id} has an input ${collision.name}, which is an option of every call.`)
  const ordered = [...parameters.filter(({ isRequired }) => isRequired), ...parameters.filter(({ isRequired }) => !isRequired)] // prettier-ignore
  const isAsync = signature.row === null && ['json', 'bytes'].includes(operation.response_kind)
  const input = parameters.map((parameter) => `    ${quote(parameter.wire)}: ${parameter.name},`)
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}(`,
    '        self,',
    '        *,',
    ...[...ordered.map(parameterText), ...options.map(optional)].map((text) => `        ${text},`),
    `    ) -> ${returnType(operation, signature)}:`,
    docstring(describe(operation, signature, options), '        '),
    ...indent(
      parameters.length === 0 ? ['input: dict[str, Any] = {}'] : ['input = given({', ...input, '})'],
      '        ',
    ),
    ...indent(bodyOf(operation, signature, options), '        '),
  ].join('\n')
}

const groupClass = (path: readonly string[]): string =>
  path.length === 0 ? 'AsyncOperationTree' : `Async${className(path.join('.'))}Operations`

/** The classes of a group and of the groups in it, the inner ones first. */
function printGroup(path: readonly string[], node: OperationNode, types: PythonTypes): string[] {
  const inner = [...node.children].flatMap(([name, child]) =>
    child.children.size > 0 ? printGroup([...path, name], child, types) : [],
  )
  const own = node.operation ? [printMethod('__call__', node.operation, types.signatures.get(node.operation.id)!)] : []
  const members = [...node.children].map(([name, child]) =>
    child.children.size > 0
      ? printProperty(identifier(name), groupClass([...path, name]))
      : printMethod(identifier(name), child.operation!, types.signatures.get(child.operation!.id)!),
  )
  const head = `class ${groupClass(path)}(AsyncOperationGroup):`
  const about = path.length === 0 ? 'The operations as a tree by id.' : `The operations \`${path.join('.')}\`.`
  return [...inner, [head, `    """${about}"""`, ...[...own, ...members].map((text) => `\n${text}`)].join('\n')]
}

const printProperty = (name: string, type: string): string =>
  ['    @property', `    def ${name}(self) -> ${type}:`, `        return ${type}(self._client)`].join('\n')

/** Prints the operations as a tree by id: `orders.archive.place` is a method of `orders.archive`. */
export function printPythonTree(types: PythonTypes): string {
  const classes = printGroup([], buildOperationTree(operationRegistry), types)
  // In a group with a method `list` the name is no type any more.
  const text = classes.join('\n\n\n').replaceAll(/\blist\[/g, 'builtins.list[')
  const words = new Set(text.match(/\b[A-Z]\w+\b/g))
  const used = [...types.names].filter((name) => words.has(name)).toSorted()
  return [
    generatedHeader,
    '',
    'from __future__ import annotations',
    '',
    'import builtins',
    'from typing import TYPE_CHECKING, Any',
    '',
    'from .._given import UNSET, Unset, given',
    'from .group import AsyncOperationGroup',
    'from .pages import AsyncPages',
    '',
    'if TYPE_CHECKING:',
    '    from collections.abc import AsyncIterator, Sequence',
    '    from typing import Literal',
    '',
    '    from .._generated.types import (',
    ...used.map((name) => `        ${name},`),
    '    )',
    '    from .._spends import Price',
    '',
    '',
    text,
    '',
  ].join('\n')
}
