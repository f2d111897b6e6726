import { operationRegistry } from '@swath/contract/registry.ts'
import { waitUntilIdle } from '../../../packages/server/test/billing-helpers.ts'
import { licensedHostsFile } from '../../../packages/server/test/hosts/licensed-hosts.ts'
import { digestDatabase } from '../../../packages/server/test/ledger-assertions.ts'
import type { TenantFixtures } from '../../../packages/server/test/contract/tenant-fixtures.ts'
import { startTestApp, type TestApp } from '../../../packages/server/test/test-app.ts'
import { createFolder } from '../harness/resources.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createOperationCases, createRouteCases, type MatrixCase } from './cases.ts'
import { isOfOperators } from './expectations.ts'
import type { MatrixPrincipal } from './facts.ts'
import { createPrincipals } from './principals.ts'
import { createAddressedPages, tryAddressedPages, tryIdentityEndpoints } from './pages.ts'
import { tryDirectory, tryDirectoryRoutes } from './protocol.ts'
import { runCases, withExpectation, type ExpectedMatrixCase, type MatrixRun } from './run-cases.ts'
import { plantSecrets } from './secrets.ts'
import { MatrixTable } from './table.ts'
import { compareAnswerTimes } from './timing.ts'
import { createWorld } from './world.ts'

const environment = {
  CATALOG_HOSTS_FILE: licensedHostsFile,
  RATE_LIMIT_SHARE_VISITS: '0',
  RATE_LIMIT_SHARE_TILES: '0',
  RATE_LIMIT_SIGN_INS: '0',
}

/**
 * Calls every operation and every route as every kind of principal, on entities of its own, of another project, of another
 * organization, deleted ones and random ids. What is expected follows from declarations.
 */
export async function proveMatrix({ short, seed, only = '' }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('matrix')
  const app = await startTestApp({ environment: { ...environment, SWATH_DATA_DIR: folder.path } })
  try {
    const world = await createWorld(app)
    const principals = await createPrincipals(app, world)
    const secrets = await plantSecrets(app, world)
    await waitUntilIdle(app)
    for (const observed of [world.own, world.foreign]) await numberEvents(observed)
    const run: MatrixRun = {
      url: app.url,
      world,
      secrets,
      table: new MatrixTable(),
      violations: [],
      sentIds: new Map(),
      share: short ? seed % 3 : null,
    }
    const chosen = principals.filter(({ name }) => only.split(',').some((part) => name.includes(part)))
    if (chosen.length === 0) throw new Error(`no principal has a name with "${only}"`)
    for (const principal of chosen) await tryRefusals(app, run, principal)
    const pages = await createAddressedPages(world, folder.path)
    for (const principal of chosen) {
      await tryDirectoryRoutes(run, principal, world)
      await tryAddressedPages(run, principal, pages)
      await tryIdentityEndpoints(run, principal)
    }
    await tryDirectory(run, world)
    const timed = await compareAnswerTimes(
      run,
      principals.find(({ name }) => name === 'owner')!,
      short,
    )
    for (const { operation, ratio, effect } of timed.measured)
      console.log(`${operation}: foreign / random ${ratio.toFixed(2)}, effect ${effect.toFixed(2)}`)
    run.violations.push(...timed.violations)
    for (const principal of chosen) await runCases(run, createCases(principal, run).filter(isEffective))
    for (const principal of chosen) if (principal.isOperator) await tryOperatorWrites(app, run, principal)
    console.log(run.table.print())
    return {
      tried: `${run.table.total} cases, markers in ${secrets.markedColumns} columns`,
      violations: run.violations,
    }
  } finally {
    await app.close()
  }
}

/** The cases of a principal; in the short form at the canonical routes of a third of the operations, which differs by principal. */
function createCases(principal: MatrixPrincipal, { world, share }: MatrixRun): ExpectedMatrixCase[] {
  if (share === null)
    return [...createOperationCases(principal, world), ...createRouteCases(principal, world)].map(withExpectation)
  const start = share + principal.name.length
  const isChosen = ({ operation }: MatrixCase): boolean => (operationRegistry.indexOf(operation) + start) % 3 === 0
  return [...createOperationCases(principal, world)].filter(isChosen).map(withExpectation)
}

/** Whoever reads the stream of events first gives them their numbers. */
async function numberEvents({ client }: TenantFixtures): Promise<void> {
  const stream = await client.fetch('/v1/op/events.stream', { method: 'POST', body: '{"max_seconds":1}' })
  await stream.arrayBuffer()
}

/** The operation may run and change something. */
const mayChange = ({ operation: { effect, public: isPublic }, expectation }: ExpectedMatrixCase): boolean =>
  // Links count their views.
  (effect !== 'read' || isPublic) && expectation.kind === 'granted'

/** Cases that may change something are run at the end, once. */
const isEffective = (matrixCase: ExpectedMatrixCase): boolean =>
  mayChange(matrixCase) &&
  (matrixCase.target === 'none' || matrixCase.target === 'own') &&
  !endsPrincipals.has(matrixCase.operation.id) &&
  !(matrixCase.principal.isOperator && isOfOperators(matrixCase.operation))

/** What would end the principals that come after it. */
const endsPrincipals: ReadonlySet<string> = new Set([
  'organizations.delete',
  'organizations.restore',
  'organizations.leave',
  'organizations.transfer_ownership',
  'organizations.members.remove',
  'projects.delete',
  'projects.archive',
  'users.delete',
  'users.sessions.end',
])

/** What an operator does in the organization that the call names changes nothing in another one. */
async function tryOperatorWrites(app: TestApp, run: MatrixRun, principal: MatrixPrincipal): Promise<void> {
  const cases = createCases(principal, run).filter((one) => mayChange(one) && isOfOperators(one.operation))
  await runUnchanging(app, run, { principal, observed: [run.world.foreign], written: ofPlatform }, cases)
}

/** Caches of searches, and the number that the next event gets. */
const writtenByReads: ReadonlySet<string> = new Set(['item_features', 'event_sequences'])

/** Tables of the platform as a whole, which operators write. */
const ofPlatform: ReadonlySet<string> = new Set(['monthly_runs', 'rate_cards', 'role_changes'])

/** All that must be refused, and all that only reads: nothing may change by it. */
async function tryRefusals(app: TestApp, run: MatrixRun, principal: MatrixPrincipal): Promise<void> {
  const cases = createCases(principal, run).filter((matrixCase) => !mayChange(matrixCase))
  await runUnchanging(app, run, { principal, observed: [run.world.own, run.world.foreign] }, cases)
}

interface Observation {
  readonly principal: MatrixPrincipal
  /** In which nothing may change. */
  readonly observed: readonly TenantFixtures[]
  /** Tables that may change. */
  readonly written?: ReadonlySet<string>
}

async function runUnchanging(
  app: TestApp,
  run: MatrixRun,
  { principal, observed, written = new Set() }: Observation,
  cases: readonly ExpectedMatrixCase[],
): Promise<void> {
  const start_ms = performance.now()
  const digest = () => Promise.all(observed.map(({ organization }) => digestDatabase(app, organization)))
  const before = await digest()
  const found = run.violations.length
  await runCases(run, cases)
  const after = await digest()
  for (const [at, { organization }] of observed.entries()) {
    const changed = Object.keys(before[at]!)
      .filter((name) => before[at]![name] !== after[at]![name] && !writtenByReads.has(name) && !written.has(name))
      .map((name) => `${name} (${before[at]![name]} → ${after[at]![name]})`)
    if (changed.length > 0)
      run.violations.push(`${principal.name}: its calls changed ${changed.join(', ')} of ${organization}`)
  }
  const took_s = ((performance.now() - start_ms) / 1000).toFixed(1)
  console.log(`${principal.name}: ${cases.length} cases, ${run.violations.length - found} violations, ${took_s} s`)
}
