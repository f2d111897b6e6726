import type { AnyNode, CallExpression, Expression, MemberExpression, TaggedTemplateExpression } from 'acorn'
import { evaluateBuiltin } from './builtins.ts'
import { bindParameters, declareStatements, lookUp, openScope } from './scopes.ts'
import { isFunctionNode, type FunctionNode } from './syntax.ts'
import {
  absentValue,
  chooseFrom,
  lazy,
  mapOptions,
  readAnyMember,
  readMember,
  unknownValue,
  type FunctionValue,
  type Lazy,
  type LexicalScope,
  type Value,
} from './values.ts'

/** A function may call itself this often before its result counts as not known. */
const max_recursion = 2

/** What an expression can be, in a scope. */
export function evaluate(node: AnyNode, scope: LexicalScope): Value {
  switch (node.type) {
    case 'Identifier':
      return node.name === 'undefined' ? absentValue : lookUp(scope, node.name)
    case 'Literal':
      if (node.value === null) return absentValue
      return typeof node.value === 'string' ? { kind: 'text', text: node.value } : unknownValue
    case 'TaggedTemplateExpression':
      return isSqlTag(node) ? evaluateTemplate(node, scope) : unknownValue
    case 'TemplateLiteral':
      return evaluateText(
        node.quasis.map(({ value }) => value.cooked ?? ''),
        node.expressions.map((part) => evaluate(part, scope)),
      )
    case 'AwaitExpression':
      return evaluate(node.argument, scope)
    case 'ConditionalExpression':
      return chooseFrom(node, [node.consequent, node.alternate].map(lazily(scope)))
    case 'LogicalExpression':
      return node.operator === '&&'
        ? chooseFrom(node, [lazily(scope)(node.right), () => absentValue])
        : chooseFrom(node, [node.left, node.right].map(lazily(scope)))
    case 'ArrayExpression':
      return { kind: 'list', items: node.elements.map((element) => evaluateElement(element, scope)) }
    case 'ObjectExpression':
      return evaluateObject(node, scope)
    case 'MemberExpression':
      return evaluateMember(node, scope)
    case 'CallExpression':
      return evaluateCall(node, scope)
    default:
      return isFunctionNode(node) ? { kind: 'function', node, scope } : unknownValue
  }
}

const lazily =
  (scope: LexicalScope) =>
  (node: AnyNode): Lazy =>
    lazy(() => evaluate(node, scope))

/** Whether a template is tagged `sql`. */
export const isSqlTag = ({ tag }: TaggedTemplateExpression): boolean => tag.type === 'Identifier' && tag.name === 'sql'

const evaluateTemplate = (node: TaggedTemplateExpression, scope: LexicalScope): Value => ({
  kind: 'sql',
  template: node,
  texts: node.quasi.quasis.map(({ value }) => value.cooked ?? ''),
  parts: node.quasi.expressions.map(lazily(scope)),
})

/** A template of plain text: known if all its parts are. */
function evaluateText(texts: readonly string[], parts: readonly Value[]): Value {
  const [first = '', ...others] = texts
  return parts.reduce<Value>(
    (left, part, index) =>
      mapOptions(left, (known) =>
        mapOptions(part, (inner) =>
          known.kind === 'text' && inner.kind === 'text'
            ? { kind: 'text', text: `${known.text}${inner.text}${others[index]}` }
            : unknownValue,
        ),
      ),
    { kind: 'text', text: first },
  )
}

function evaluateElement(element: AnyNode | null, scope: LexicalScope): Value {
  if (element === null) return absentValue
  return element.type === 'SpreadElement'
    ? { kind: 'spread', list: evaluate(element.argument, scope) }
    : evaluate(element, scope)
}

function evaluateObject(node: Extract<Expression, { type: 'ObjectExpression' }>, scope: LexicalScope): Value {
  const members = new Map<string, Lazy>()
  for (const property of node.properties) {
    if (property.type === 'SpreadElement' || property.computed) continue
    const { key } = property
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null
    if (name !== null) members.set(name, lazily(scope)(property.value))
  }
  return { kind: 'object', members }
}

function evaluateMember(node: MemberExpression, scope: LexicalScope): Value {
  const object = evaluate(node.object, scope)
  if (!node.computed) return node.property.type === 'Identifier' ? readMember(object, node.property.name) : unknownValue
  const { property } = node
  if (property.type === 'Literal') return readMember(object, String(property.value))
  return mapOptions(evaluate(property, scope), (key) =>
    key.kind === 'text' ? readMember(object, key.text) : readAnyMember(object, node),
  )
}

function evaluateCall(node: CallExpression, scope: LexicalScope): Value {
  const apply = (callee: Value, argumentValues: readonly Lazy[]): Value =>
    applyFunction(callee, argumentValues, scope.calls)
  const argumentValues = evaluateArguments(node, scope)
  return (
    evaluateBuiltin({ node, scope, argumentValues, evaluate, apply }) ??
    apply(evaluate(node.callee, scope), argumentValues)
  )
}

/** The arguments of a call, those of a spread list as far as they are known. */
export const evaluateArguments = (node: CallExpression, scope: LexicalScope): Lazy[] =>
  node.arguments.flatMap((argument) => {
    if (argument.type !== 'SpreadElement') return [lazily(scope)(argument)]
    const list = evaluate(argument.argument, scope)
    return list.kind === 'list' ? list.items.map((item) => () => item) : [() => unknownValue]
  })

function applyFunction(callee: Value, argumentValues: readonly Lazy[], calls: readonly FunctionNode[]): Value {
  return mapOptions(callee, (known) => {
    if (known.kind !== 'function') return known.kind === 'unknown' ? known : unknownValue
    const { node } = known
    if (calls.filter((call) => call === node).length >= max_recursion) return unknownValue
    const scope = openCallScope(known, argumentValues, calls)
    if (node.body.type !== 'BlockStatement') return evaluate(node.body, scope)
    return chooseFrom(node, listResults(node.body.body, openBlock(node.body.body, scope)))
  })
}

/** The scope of a call of a function, with its parameters; without arguments they are not known. */
export function openCallScope(
  { node, scope }: FunctionValue,
  argumentValues: readonly Lazy[] | null,
  calls: readonly FunctionNode[],
): LexicalScope {
  const inner = openScope(scope, [...calls, node])
  bindParameters(node, inner, argumentValues, evaluate)
  return inner
}

/** The scope of a block, with what it declares. */
export function openBlock(statements: readonly AnyNode[], parent: LexicalScope): LexicalScope {
  const scope = openScope(parent)
  declareStatements(statements, scope, evaluate)
  return scope
}

/** What the statements of a function may return: which conditions hold is not known. */
function listResults(statements: readonly AnyNode[], scope: LexicalScope): Lazy[] {
  return statements.flatMap((node): Lazy[] => {
    switch (node.type) {
      case 'ReturnStatement':
        return [node.argument ? lazily(scope)(node.argument) : () => absentValue]
      case 'BlockStatement':
        return listResults(node.body, openBlock(node.body, scope))
      case 'IfStatement':
        return listResults(node.alternate ? [node.consequent, node.alternate] : [node.consequent], scope)
      case 'SwitchStatement':
        return node.cases.flatMap(({ consequent }) => listResults(consequent, openBlock(consequent, scope)))
      case 'ForStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
        return listResults([node.body], scope)
      default:
        return []
    }
  })
}
