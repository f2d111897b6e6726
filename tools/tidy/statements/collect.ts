import type { AnyNode, CallExpression, TaggedTemplateExpression } from 'acorn'
import { evaluate, evaluateArguments, isSqlTag, openBlock, openCallScope } from './evaluate.ts'
import type { SqlModule } from './modules.ts'
import { bindPattern, lookUp, openScope, takesSql } from './scopes.ts'
import { childNodes, isFunctionNode, type FunctionNode } from './syntax.ts'
import {
  unknownValue,
  type FunctionValue,
  type Lazy,
  type LexicalScope,
  type SourceFile,
  type Value,
} from './values.ts'

/** A place where a statement is run, reached in one way. */
export interface QueryCall {
  readonly node: CallExpression
  readonly file: SourceFile
  readonly value: Value
  /** What the connection is called where it is first passed: `db`, `tx`, `unscoped`; null if that is not known. */
  readonly connection: string | null
  /** False in a function whose callers pass SQL, without a caller. */
  readonly isBound: boolean
}

/** Functions that run the SQL that they are passed may call each other this deep. */
const max_depth = 5

/** Collects the statements that files run, and all their templates. */
export class Collector {
  readonly queries: QueryCall[] = []
  readonly templates = new Map<TaggedTemplateExpression, LexicalScope>()
  private readonly runningFunctions = new Map<FunctionNode, boolean>()

  collectModule({ file, scope }: SqlModule): void {
    for (const node of file.program.body) this.visit(node, scope, true)
  }

  private visit(node: AnyNode, scope: LexicalScope, isBound: boolean): void {
    if (isFunctionNode(node)) {
      const inner = openCallScope({ kind: 'function', node, scope }, null, scope.calls)
      return this.visit(node.body, inner, isBound && !takesSql(node, scope.file))
    }
    if (node.type === 'TaggedTemplateExpression' && isSqlTag(node) && !this.templates.has(node))
      this.templates.set(node, scope)
    if (node.type === 'CallExpression') this.visitCall(node, scope, isBound)
    const inner = openInner(node, scope)
    for (const child of childNodes(node)) this.visit(child, inner, isBound)
  }

  private visitCall(node: CallExpression, scope: LexicalScope, isBound: boolean): void {
    const [statement] = node.arguments
    if (isQueryCall(node)) {
      if (statement && statement.type !== 'SpreadElement')
        this.queries.push({
          node,
          file: scope.file,
          value: evaluate(statement, scope),
          connection: connectionOf(node, scope),
          isBound,
        })
      return
    }
    if (node.callee.type !== 'Identifier' || scope.calls.length >= max_depth) return
    const target = evaluate(node.callee, scope)
    if (target.kind !== 'function' || scope.calls.includes(target.node)) return
    if (takesSql(target.node, target.scope.file) && this.runsQueries(target))
      this.visitCalled(target, evaluateArguments(node, scope), { scope, isBound })
  }

  /** The body of a function with the SQL that a caller passes. */
  private visitCalled(
    target: FunctionValue,
    argumentValues: readonly Lazy[],
    caller: { readonly scope: LexicalScope; readonly isBound: boolean },
  ): void {
    this.visit(target.node.body, openCallScope(target, argumentValues, caller.scope.calls), caller.isBound)
  }

  /** Whether a function runs a statement, itself or by another function of the file. */
  private runsQueries({ node, scope }: FunctionValue): boolean {
    const known = this.runningFunctions.get(node)
    if (known !== undefined) return known
    this.runningFunctions.set(node, false)
    const runs = (inner: AnyNode): boolean => {
      if (inner.type === 'CallExpression') {
        if (isQueryCall(inner)) return true
        const target = inner.callee.type === 'Identifier' ? lookUp(scope, inner.callee.name) : unknownValue
        if (target.kind === 'function' && this.runsQueries(target)) return true
      }
      return childNodes(inner).some(runs)
    }
    this.runningFunctions.set(node, runs(node.body))
    return this.runningFunctions.get(node)!
  }
}

/** Whether a call runs a statement: `db.query(…)`. */
const isQueryCall = ({ callee }: CallExpression): boolean =>
  callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'query'

function connectionOf({ callee }: CallExpression, scope: LexicalScope): string | null {
  if (callee.type !== 'MemberExpression') return null
  const object = evaluate(callee.object, scope)
  return object.kind === 'unknown' ? object.name : null
}

function openInner(node: AnyNode, scope: LexicalScope): LexicalScope {
  if (node.type === 'BlockStatement') return openBlock(node.body, scope)
  if (node.type !== 'ForOfStatement' || node.left.type !== 'VariableDeclaration') return scope
  const inner = openScope(scope)
  for (const { id } of node.left.declarations) bindPattern(id, () => unknownValue, inner, evaluate)
  return inner
}
