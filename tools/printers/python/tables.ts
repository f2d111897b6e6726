import { extensionByMediaType } from '../../../packages/contract/src/file-extensions.ts'
import { jobLifecycle, orderLifecycle, taskingLifecycle, uploadLifecycle } from '../../../packages/contract/src/lifecycles.ts' // prettier-ignore
import { operationRegistry } from '../../../packages/contract/src/registry.ts'
import { humanScopes, privilegedScopes } from '../../../packages/contract/src/scopes.ts'
import { hasPrice } from '../client-tree.ts'
import { generatedHeader, quote } from './names.ts'

const toTuple = (texts: readonly string[]): string => `(${texts.map((text) => `${quote(text)},`).join(' ')})`

const pythonBoolean = (value: boolean): string => (value ? 'True' : 'False')

/** Prints what the client knows of each operation at run time. */
export function printPythonManifest(): string {
  const rows = operationRegistry.map((operation) => {
    const { id, effect, paging, response_kind, idempotent } = operation
    const members = [quote(effect), paging === null ? 'None' : quote(paging), quote(response_kind), pythonBoolean(idempotent), pythonBoolean(effect === 'spend' && hasPrice(operation))] // prettier-ignore
    return `        ${quote(id)}: (${members.join(', ')}),`
  })
  return [
    generatedHeader,
    '',
    'from __future__ import annotations',
    '',
    'from typing import NamedTuple',
    '',
    '',
    'class ManifestRow(NamedTuple):',
    '    """What the client knows of an operation."""',
    '',
    '    effect: str',
    '    paging: str | None',
    '    response_kind: str',
    '    is_idempotent: bool',
    '    """It accepts an idempotency key."""',
    '    is_priced: bool',
    '    """It spends credits, and its input has a bound of the price."""',
    '',
    '',
    'MANIFEST: dict[str, ManifestRow] = {',
    '    operation: ManifestRow(*row)',
    '    for operation, row in {',
    ...rows,
    '    }.items()',
    '}',
    '',
  ].join('\n')
}

/** Prints the states in which a client stops waiting, extensions of files by media type, and the scopes of people. */
export function printPythonTables(): string {
  const waits = { order: [orderLifecycle.terminal, 'FULFILLED'], job: [jobLifecycle.terminal, 'completed'], upload: [uploadLifecycle.terminal, 'completed'] } as const // prettier-ignore
  return [
    generatedHeader,
    '',
    'TERMINAL_STATES: dict[str, tuple[str, ...]] = {',
    ...Object.entries(waits).map(([name, [terminal]]) => `    ${quote(name)}: ${toTuple(terminal)},`),
    '}',
    '"""The states in which orders, jobs and uploads end."""',
    '',
    'SUCCESS_STATES: dict[str, str] = {',
    ...Object.entries(waits).map(([name, [, success]]) => `    ${quote(name)}: ${quote(success)},`),
    '}',
    '',
    `DECISION_STATES: tuple[str, ...] = ${toTuple(taskingLifecycle.transitions.expire.from ?? [])}`,
    '"""The values of `subStatus` in which a tasking order waits for a decision of the customer, and expires without one."""',
    '',
    'EXTENSION_BY_MEDIA_TYPE: dict[str, str] = {',
    ...Object.entries(extensionByMediaType).map(([type, extension]) => `    ${quote(type)}: ${quote(extension)},`),
    '}',
    '"""File name extensions by media type, without parameters."""',
    '',
    `EVERY_SCOPE = ${quote([...humanScopes, ...privilegedScopes].join(' '))}`,
    '"""Every scope that a person may have: who asks for them gets those that they have."""',
    '',
  ].join('\n')
}
