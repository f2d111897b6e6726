import { resolve as resolvePath } from 'node:path/posix'
import { isProductCode, type SourceTree } from '../tidy/tree.ts'
import { listNodes, parseFile, type SyntaxNode } from './syntax.ts'

/** One visit of a file on a walk: from the call that enters it to the one that leaves it. */
export interface Stay {
  readonly file: string
  readonly name: string
}

/** The functions of a file and what its names stand for. */
interface FileNames {
  readonly functions: ReadonlyMap<string, SyntaxNode>
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

const nameOf = (node: unknown): string => (node as { readonly name: string }).name

function* listDefinitions(program: SyntaxNode): Generator<readonly [name: string, node: SyntaxNode]> {
  for (const statement of program['body'] as SyntaxNode[]) {
    const node = (statement['declaration'] ?? statement) as SyntaxNode
    if (node.type === 'FunctionDeclaration') yield [nameOf(node['id']), node]
    if (node.type !== 'VariableDeclaration') continue
    for (const variable of node['declarations'] as SyntaxNode[])
      if ((variable['id'] as SyntaxNode).type === 'Identifier' && variable['init'])
        yield [nameOf(variable['id']), variable['init'] as SyntaxNode]
  }
}

function readNames(path: string, text: string): FileNames {
  const program = parseFile(path, text)
  const imports = new Map<string, { file: string; name: string }>()
  for (const statement of program['body'] as SyntaxNode[]) {
    if (statement.type !== 'ImportDeclaration') continue
    const specifier = (statement['source'] as { readonly value: string }).value
    if (!specifier.startsWith('.')) continue
    const file = resolvePath('/', path, '..', specifier).slice(1)
    for (const named of statement['specifiers'] as SyntaxNode[])
      if (named.type === 'ImportSpecifier')
        imports.set(nameOf(named['local']), { file, name: nameOf(named['imported']) })
  }
  return { functions: new Map(listDefinitions(program)), imports }
}

/**
 * The stays of a walk along the calls of a function, all branches, in the order of the text, until a function is
 * entered whose name is `end`. The calls of a function are walked once; entering it again counts, its calls do not.
 * Calls of methods are not followed.
 */
export function walkCalls(tree: SourceTree, start: Stay, end: string): Stay[] {
  const names = new Map<string, FileNames>()
  const readFile = (path: string): FileNames => {
    const known = names.get(path) ?? readNames(path, tree.files.get(path) ?? '')
    names.set(path, known)
    return known
  }
  const stays: Stay[] = []
  const entered = new Set<string>()
  let isAtEnd = false

  function enter({ file, name }: Stay): void {
    const body = readFile(file).functions.get(name)
    if (!body || isAtEnd) return
    if (stays.at(-1)?.file !== file) stays.push({ file, name })
    isAtEnd = name === end
    const key = `${file} ${name}`
    if (entered.has(key) || isAtEnd) return
    entered.add(key)
    for (const node of listNodes(body)) {
      const called = node.type === 'CallExpression' ? (node['callee'] as SyntaxNode) : null
      if (called?.type !== 'Identifier') continue
      const next = readFile(file).imports.get(nameOf(called)) ?? { file, name: nameOf(called) }
      if (!isProductCode(next.file)) continue
      enter(next)
      if (isAtEnd) return
      if (stays.at(-1)?.file !== file) stays.push({ file, name })
    }
  }

  enter(start)
  return stays
}
