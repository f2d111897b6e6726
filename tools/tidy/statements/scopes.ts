import type { AnyNode, Pattern } from 'acorn'
import { isFunctionNode, type FunctionNode } from './syntax.ts'
import {
  absentValue,
  lazy,
  readMember,
  unknownValue,
  type Lazy,
  type LexicalScope,
  type SourceFile,
  type Value,
} from './values.ts'

/** Evaluates an expression in a scope. */
export type Evaluate = (node: AnyNode, scope: LexicalScope) => Value

/** An empty scope within another. */
export const openScope = (parent: LexicalScope, calls: readonly FunctionNode[] = parent.calls): LexicalScope => ({
  parent,
  names: new Map(),
  file: parent.file,
  calls,
})

/** The value of a name; not known if it is declared nowhere in the file, such as a global. */
export function lookUp(scope: LexicalScope | null, name: string): Value {
  for (let at = scope; at; at = at.parent) {
    const found = at.names.get(name)
    if (found) return found()
  }
  return unknownValue
}

const keyOf = (node: AnyNode): string | null => {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : null
}

/** Declares the names of a pattern as the parts of a value. */
export function bindPattern(pattern: Pattern, value: Lazy, scope: LexicalScope, evaluate: Evaluate): void {
  if (pattern.type === 'Identifier') scope.names.set(pattern.name, value)
  if (pattern.type === 'AssignmentPattern') {
    const orDefault = lazy(() => (value().kind === 'absent' ? evaluate(pattern.right, scope) : value()))
    bindPattern(pattern.left, orDefault, scope, evaluate)
  }
  if (pattern.type === 'ArrayPattern') {
    pattern.elements.forEach((element, index) => {
      if (!element) return
      const read = element.type === 'RestElement' ? value : lazy(() => readMember(value(), String(index)))
      bindPattern(element.type === 'RestElement' ? element.argument : element, read, scope, evaluate)
    })
  }
  if (pattern.type !== 'ObjectPattern') return
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') {
      bindPattern(property.argument, value, scope, evaluate)
      continue
    }
    const key = keyOf(property.key)
    const read = key === null ? () => unknownValue : lazy(() => readMember(value(), key))
    bindPattern(property.value, read, scope, evaluate)
  }
}

/** Declares the variables and functions of a list of statements. */
export function declareStatements(statements: readonly AnyNode[], scope: LexicalScope, evaluate: Evaluate): void {
  for (const statement of statements) {
    const node =
      (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') &&
      statement.declaration
        ? (statement.declaration as AnyNode)
        : statement
    if (isFunctionNode(node) && node.type === 'FunctionDeclaration' && node.id) {
      scope.names.set(node.id.name, () => ({ kind: 'function', node, scope }))
    }
    if (node.type !== 'VariableDeclaration') continue
    for (const { id, init } of node.declarations) {
      bindPattern(id, init ? lazy(() => evaluate(init, scope)) : () => unknownValue, scope, evaluate)
    }
  }
}

/** The types of the parameters of a function, as their source text. */
function parameterTypes({ params, body }: FunctionNode, text: string): string[] {
  const [first] = params
  if (!first) return []
  // Behind the last parenthesis is the type of the result.
  const close = text.lastIndexOf(')', body.start)
  const end = close < first.end ? body.start : close
  return params.map((param, index) => text.slice(param.end, params[index + 1]?.start ?? end))
}

/** Whether a parameter of a function is SQL, has a member that is, or makes SQL. */
export const takesSql = (node: FunctionNode, { text, sqlTypes }: SourceFile): boolean =>
  parameterTypes(node, text).some((type) => sqlTypes.some((name) => new RegExp(`\\b${name}\\b`).test(type)))

/** Declares the parameters of a function; without an argument one is not known. */
export function bindParameters(
  node: FunctionNode,
  scope: LexicalScope,
  argumentValues: readonly Lazy[] | null,
  evaluate: Evaluate,
): void {
  node.params.forEach((param, index) => {
    if (param.type === 'RestElement') {
      const rest: Lazy = lazy(() => ({
        kind: 'list',
        items: (argumentValues ?? []).slice(index).map((item) => item()),
      }))
      bindPattern(param.argument, argumentValues ? rest : () => unknownValue, scope, evaluate)
      return
    }
    const unbound = (): Value => ({ kind: 'unknown', name: param.type === 'Identifier' ? param.name : null })
    bindPattern(param, argumentValues ? (argumentValues[index] ?? (() => absentValue)) : unbound, scope, evaluate)
  })
}
