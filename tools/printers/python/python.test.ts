import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from '../../../packages/contract/src/problems.ts'
import { operationRegistry } from '../../../packages/contract/src/registry.ts'
import { readNamedSchemas } from '../named-schemas.ts'
import { className, docstring, identifier, isIdentifier } from './names.ts'
import { printPythonProblems } from './problems.ts'
import { printSyncSource } from './sync-source.ts'
import { printPythonManifest } from './tables.ts'
import { printPythonTree } from './tree.ts'
import { printPythonTypes } from './types.ts'

const types = printPythonTypes(await readNamedSchemas())

test('an asynchronous source becomes a blocking one, with its docstrings', () => {
  const source = `
from contextlib import aclosing, asynccontextmanager
from .._runtime import aio as runtime
class AsyncThing:
    """Made by \`async with AsyncThing() as thing\`."""
    async def __aenter__(self) -> AsyncThing: ...
    async def read(self, work: Callable[[str], Awaitable[list[str]]], value: Awaitable[str] | str) -> AsyncIterator[str]:
        async for piece in (await self._open()).aiter_bytes():
            yield piece
    async def pages(self) -> AsyncGenerator[dict[str, Any], None]: ...
`
  const [notice, ...lines] = printSyncSource(source).split('\n')
  assert.match(notice!, /^# Printed/)
  assert.equal(
    lines.join('\n'),
    `
from contextlib import closing, contextmanager
from .._runtime import threads as runtime
class Thing:
    """Made by \`with Thing() as thing\`."""
    def __enter__(self) -> Thing: ...
    def read(self, work: Callable[[str], list[str]], value: str) -> Iterator[str]:
        for piece in (self._open()).iter_bytes():
            yield piece
    def pages(self) -> Generator[dict[str, Any], None, None]: ...
`,
  )
})

test('names that Python reserves or cannot have get others', () => {
  assert.deepEqual(['from', 'filter-lang', 'type', 'projectId'].map(identifier), ['from_', 'filter_lang', 'type', 'projectId']) // prettier-ignore
  assert.deepEqual(['orders.archive.place', 'insufficient-credits', 'cog'].map(className), ['OrdersArchivePlace', 'InsufficientCredits', 'Cog']) // prettier-ignore
  assert.deepEqual(['class', 'a-b', 'a_b', '1a'].map(isIdentifier), [false, false, true, false])
})

test('a text with quotes and backslashes stays a docstring', () => {
  assert.equal(docstring('Says "a"', '  '), '  """Says "a" """')
  assert.equal(docstring('a\n\nb\\d """', ''), '"""a\n\nb\\\\d \'\'\'\n"""')
})

test('every operation is a method, in the types and in the manifest', () => {
  const [tree, manifest] = [printPythonTree(types), printPythonManifest()]
  for (const { id, paging } of operationRegistry) {
    assert.ok(tree.includes(`(${JSON.stringify(id)}, input, `), id)
    assert.ok(manifest.includes(`${JSON.stringify(id)}: (`), id)
    assert.equal(types.signatures.get(id)?.row === null, paging === null, id)
  }
  assert.match(tree, /def list\(\s+self,\s+\*,/)
})

test('outputs are open for texts of a newer platform, inputs are not', () => {
  assert.match(types.text, /class Order\(TypedDict\):[^]*? {4}status: Literal\["CREATED", [^\]]*\] \| str\n/)
  const role = types.signatures.get('projects.add_member')?.parameters.find(({ name }) => name === 'role')
  assert.match(role!.type, /^Literal\[[^\]]+\]$/)
  assert.doesNotMatch(types.text, /\bundefined\b|\bany\b\]/)
})

test('every problem is a class with its fields', async () => {
  const text = printPythonProblems(await readNamedSchemas(), types)
  for (const name of Object.keys(problems)) assert.ok(text.includes(`${JSON.stringify(name)}: ${className(name)},`), name) // prettier-ignore
  assert.match(text, /class InsufficientCredits\(ApiProblem\):[^]*? {4}required_credits: int \| None\n/)
  assert.match(text, /violated_policies: list\[str\] \| None/)
})
