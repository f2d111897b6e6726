import { extensionByMediaType } from '../../packages/contract/src/file-extensions.ts'
import { eventDefinitions } from '../../packages/contract/src/events.ts'
import {
  jobLifecycle,
  orderLifecycle,
  taskingLifecycle,
  uploadLifecycle,
  type Lifecycle,
} from '../../packages/contract/src/lifecycles.ts'
import { toPlainSchema } from './json-schema.ts'
import { printType } from './type-text.ts'

const header = '// Generated from the contract by `npm run generate`; do not edit.'

const printArray = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`

/** Prints the file name extension of each media type. */
export const printFileExtensions = (): string =>
  [
    header,
    '',
    '/** File name extension by media type, without parameters. */',
    'export const extensionByMediaType: Readonly<Record<string, string>> = {',
    ...Object.entries(extensionByMediaType).map(([type, extension]) => `  '${type}': '${extension}',`),
    '}',
    '',
  ].join('\n')

/** What a client waits for: the states in which it ends, and the one that it wants. */
const printWait = <State extends string>(
  name: string,
  { terminal }: Lifecycle<State, string>,
  success: NoInfer<State>,
): string => `  ${name}: { terminal: ${printArray(terminal)}, success: '${success}' },`

/** Prints the states in which a client stops waiting. */
export const printTerminalStates = (): string =>
  [
    header,
    '',
    '/** The states in which orders, jobs and uploads end, and the one of success. */',
    'export const terminalStates = {',
    printWait('order', orderLifecycle, 'FULFILLED'),
    printWait('job', jobLifecycle, 'completed'),
    printWait('upload', uploadLifecycle, 'completed'),
    '} as const',
    '',
    '/** The values of `subStatus` in which a tasking order waits for a decision of the customer, and expires without one. */',
    `export const decisionStates: readonly string[] = ${printArray(taskingLifecycle.transitions.expire.from ?? [])}`,
    '',
  ].join('\n')

/** Prints the type of `data` by event type. */
export const printWebhookEvents = (): string =>
  [
    header,
    '',
    '/** The `data` of each event type. */',
    'export interface EventData {',
    ...Object.entries(eventDefinitions).map(
      ([type, { summary, data }]) => `  /** ${summary} */\n  '${type}': ${printType(toPlainSchema(data))}`,
    ),
    '}',
    '',
  ].join('\n')
