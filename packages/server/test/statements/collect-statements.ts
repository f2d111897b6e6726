import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { getCallSites } from 'node:util'
import {
  statementDiagnosticsChannel,
  type ObservedStatement,
} from '../../src/platform/database/statements/observed-statements.ts'

/** The function of the product that sent a statement. */
export interface StatementSender {
  /** Below `packages/server/src`. */
  readonly file: string
  readonly line: number
  /** Empty for one without a name. */
  readonly name: string
}

/** A distinct statement of the product and a role, with the first function that sent it. */
export interface CollectedStatement extends StatementSender {
  readonly text: string
  readonly role: ObservedStatement['role']
}

const productFolder = '/packages/server/src/'
/** Connections pass statements on to others by functions of these names. */
const forwarders: ReadonlySet<string> = new Set(['query', 'runQuery'])
/** Its functions build a statement around SQL of their caller, which may be a test. */
const wrappingFile = 'platform/database/item-counts/write-items.ts'
/** More than there are forwarders one within another. */
const max_frames = 12

/** The file of the product that a script is, below `packages/server/src`; null for tests and all others. */
const productFileOf = (script: string | undefined): string | null => {
  const file = script?.split(productFolder)[1]
  return file === undefined || file.endsWith('.test.ts') ? null : file
}

/** The function that called `query`; null if it, or the SQL that it was passed, belongs to a test. */
function findSender(): StatementSender | null {
  const frames = getCallSites(max_frames).filter(
    ({ scriptName }) => !scriptName.startsWith('node:') && scriptName !== import.meta.url,
  )
  const first = frames.findIndex(({ functionName }) => !forwarders.has(functionName))
  const [sender, caller] = first === -1 ? frames.slice(-1) : frames.slice(first)
  const file = productFileOf(sender?.scriptName)
  if (!sender || file === null) return null
  if (file === wrappingFile && caller && productFileOf(caller.scriptName) === null) return null
  return { file, line: sender.lineNumber, name: sender.functionName }
}

/** Collects the statements that the product sends in this process as a role of the service; the schema belongs to the owner. */
export function collectStatements(): { readonly statements: readonly CollectedStatement[]; stop(): void } {
  const statements = new Map<string, CollectedStatement>()
  const onStatement = (message: unknown): void => {
    const { text, role } = message as ObservedStatement
    const key = `${role} ${text}`
    if (role === 'owner' || statements.has(key)) return
    const sender = findSender()
    if (sender) statements.set(key, { ...sender, text, role })
  }
  subscribe(statementDiagnosticsChannel.name, onStatement)
  return {
    get statements() {
      return [...statements.values()]
    },
    stop: () => unsubscribe(statementDiagnosticsChannel.name, onStatement),
  }
}
