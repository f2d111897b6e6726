import { stripTypeScriptTypes } from 'node:module'
import {
  parse,
  type AnyNode,
  type ArrowFunctionExpression,
  type FunctionDeclaration,
  type FunctionExpression,
} from 'acorn'
import type { Program } from 'acorn'

export type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression

/**
 * The syntax tree of a TypeScript file. Types are replaced by spaces before it is parsed, so that positions are those of the
 * text. Throws a SyntaxError for an invalid file.
 */
export const parseTypeScript = (text: string): Program =>
  parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' })

export const isFunctionNode = (node: AnyNode): node is FunctionNode =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The nodes directly below a node, in the order of the text. */
export const childNodes = (node: AnyNode): AnyNode[] => Object.values(node).flat().filter(isNode)

/** The line of a position, counted from 1. */
export const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length
