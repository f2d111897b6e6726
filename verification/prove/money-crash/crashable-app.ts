import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import { backgroundTasks } from '../../../packages/server/src/domains/domains.ts'
import type { App } from '../../../packages/server/src/app.ts'
import { backgroundTaskTypes } from '../../../packages/server/src/engine/task-types.ts'
import {
  readJsonBody,
  dispatchHttpCall,
  sendCallResult,
  type HttpRouteContext,
} from '../../../packages/server/src/http/http-call.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { assertLedgerConsistent } from '../../../packages/server/test/ledger-assertions.ts'
import { noRetries, createSpendHosts } from '../../../packages/server/test/contract/examples/spend.ts'
import { waitUntilIdle } from '../../../packages/server/test/billing-helpers.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import { announceReady, body_limit_bytes, startProofApp, type ProofHandlers } from '../harness/proof-app.ts'
import {
  armTask,
  isArmed,
  createKillableDriver,
  getLastStatements,
  watchRequests,
  watchTasks,
  type ArmedTask,
} from './kill-points.ts'
import { idempotencyKeyOf, scripts } from './scripts.ts'
import { findMoneyProblems, readMoneyState } from './money-state.ts'
import Type from 'typebox'
import { operation, type Operation } from '@swath/contract/operation.ts'
import { StrictObject, Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineHandler, type OperationHandler } from '../../../packages/server/src/engine/handler.ts'
import { capturePaymentHold, runWithReservedPayment } from '../../../packages/server/src/domains/billing/payment.ts'

const HoldOutput = Type.Object({ hold_id: Uuid })
const common = { scope: 'orders:write', effect: 'spend', idempotent: true } as const

const beginOperation = operation({
  ...common,
  id: 'proof.job.begin',
  summary: 'Begin a job that costs something.',
  input: StrictObject({ credits: Type.Integer({ minimum: 1 }) }),
  output: HoldOutput,
  status: 202,
})

const endOperation = operation({
  ...common,
  id: 'proof.job.end',
  summary: 'End a job and charge what it has used.',
  input: StrictObject({ hold_id: Uuid, credits: Type.Integer({ minimum: 0 }) }),
  output: HoldOutput,
})

const beginJob = defineHandler(beginOperation, async (call, { credits }) => {
  const holdId = call.claim?.recoveryData['hold_id']
  if (typeof holdId === 'string') return { hold_id: holdId }
  return runWithReservedPayment(call, { amount_credits: credits, subject: 'job' }, async (tx, { hold_id }) => {
    await call.claim?.checkpoint(tx, 'reserved', { hold_id })
    return { hold_id: hold_id! }
  })
})

const endJob = defineHandler(endOperation, async (call, { hold_id, credits }) => {
  if (call.claim?.recoveryData['hold_id'] === hold_id) return { hold_id }
  await call.transaction(async (tx) => {
    await capturePaymentHold(tx, call, { hold_id, amount_credits: credits })
    await call.claim?.checkpoint(tx, 'settled', { hold_id })
  })
  return { hold_id }
})

/** Operations of a job that is paid like any operation, with idempotency key and checkpoints. */
const jobOperations: ReadonlyMap<string, { operation: Operation; handle: OperationHandler['handle'] }> = new Map(
  [beginJob, endJob].map((entry) => [entry.operation.id, entry]),
)

/** Adds the job operations of the proof, with the same pipeline as every operation. */
function addJobRoute(app: App): void {
  const pipelineDependencies = { ...app.pipeline, find: (id: string) => jobOperations.get(id) ?? null }
  const httpContext: HttpRouteContext = { pipeline: pipelineDependencies, baseUrl: null, body_limit_bytes }
  app.fastify.post('/v1/proof/:id', async (request, reply) => {
    const { id } = request.params as { id: string }
    return sendCallResult(
      reply,
      await dispatchHttpCall(httpContext, {
        request,
        reply,
        operation: id,
        readBody: (operation) => readJsonBody(httpContext, operation, request),
      }),
    )
  })
}

interface OfOrganization {
  readonly organization: string
}

/** The calls with which the proof controls and inspects the server. */
const createHandlers = (app: TestApp): ProofHandlers => ({
  prepare: async ({ script }: { script: string }) => {
    const scene = await scripts[script]!.prepare(app)
    await waitUntilIdle(app)
    return scene
  },
  steps: getLastStatements,
  'arm-task': (input: ArmedTask | { task?: undefined }) => armTask(input.task === undefined ? null : input),
  armed: isArmed,
  due: async ({ organization, deadlines }: OfOrganization & { deadlines: readonly string[] }) => {
    await app.database.unscoped.query(sql`
      update billing_deadlines set due_at = ${systemClock.now()}
      where organization_id = ${organization} and kind = any(${deadlines}::text[])`)
    await app.database.unscoped.transaction((tx) =>
      app.queue.enqueue(tx, backgroundTaskTypes.sweepBillingDeadlines, {}),
    )
  },
  claimed: async ({ organization }: OfOrganization) => {
    const claims = await app.database.forOrganization(organization).query(sql`
      select 1 from idempotency_claims
      where organization_id = ${organization} and key = ${idempotencyKeyOf(organization)}`)
    return claims.length > 0
  },
  rest: () => waitUntilIdle(app),
  state: async ({ organization }: OfOrganization) => ({
    state: await readMoneyState(app.database, organization),
    faults: await findMoneyProblems(app.database, organization),
  }),
  ledger: () =>
    assertLedgerConsistent(app).then(
      () => null,
      (error: Error) => error.message,
    ),
})

/** The product with a driver at whose statements it can be killed, and with routes for the proof. */
watchTasks(backgroundTasks)
announceReady(
  await startProofApp({
    hosts: await createSpendHosts(),
    background: noRetries,
    wrapDriver: createKillableDriver,
    addRoutes: (app) => {
      addJobRoute(app)
      watchRequests(app.fastify.server)
    },
    createHandlers,
  }),
)
