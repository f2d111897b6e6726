import { setTimeout as pause } from 'node:timers/promises'
import { createTokenSource } from '@swath/client/tokens.ts'
import { fetchFromKillable, ServerDead } from '../harness/killable-server.ts'
import { administrator } from '../harness/server-process.ts'
import type { CrashableServer } from './crashable-server.ts'
import type { KillPlan } from './kill-points.ts'
import { idempotencyKeyOf, type PreparedScript, type ScriptStep } from './scripts.ts'
import { normalizeGenerated, type MoneyState } from './money-state.ts'

/** Where a script is interrupted. */
export interface CutPoint {
  /** The index of the step, from 0. */
  readonly step: number
  readonly plan: KillPlan
  /** The call is not repeated, and its deadlines expire. */
  readonly abandoned: boolean
}

/** A step that can be interrupted. */
export interface InterruptibleStep {
  readonly step: number
  readonly kind: 'send' | 'work'
  readonly statements: readonly string[]
}

export interface RunResult {
  readonly organization: string
  /** The final response of each step, normalized so that two runs are comparable. */
  readonly answers: readonly string[]
  readonly state: MoneyState
  readonly faults: readonly string[]
  /** For an uninterrupted run: the steps that can be interrupted, with their statements. */
  readonly interruptibleSteps: readonly InterruptibleStep[]
  /** True if the server crashed. */
  readonly hasCrashed: boolean
  /** True if the key was free after the crash, so that the retry was a new call. */
  readonly wasKeyFree: boolean
}

/** Options of a run: an interruption, or the last call sent twice, as after a lost response. */
interface RunOptions {
  readonly cut?: CutPoint
  readonly again?: boolean
}

interface HttpResult {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
}

function createTokens(url: string, caller: PreparedScript['login']): () => Promise<string> {
  if (caller === 'administrator') return createTokenSource(url, administrator)
  return 'token' in caller ? async () => caller.token : createTokenSource(url, caller)
}

/** Runs one prepared script, with its token and its idempotency key. */
class ScriptRunner {
  readonly server: CrashableServer
  readonly scene: PreparedScript
  readonly token: () => Promise<string>
  private challenge = ''

  constructor(server: CrashableServer, scene: PreparedScript) {
    this.server = server
    this.scene = scene
    this.token = createTokens(server.url, scene.login)
  }

  async send(step: ScriptStep & { kind: 'send' }, plan: KillPlan | null): Promise<HttpResult> {
    const response = await fetchFromKillable(`${this.server.url}${step.path}`, {
      method: 'POST',
      body: JSON.stringify(step.body),
      headers: {
        authorization: `Bearer ${await this.token()}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKeyOf(this.scene.organization),
        'x-kill': plan === null ? 'none' : `${plan.moment}:${plan.at}`,
      },
    })
    this.challenge = (JSON.parse(response.text) as { challenge_url?: string }).challenge_url ?? ''
    return response
  }

  /** Repeats the call until its key is no longer in flight. */
  async sendAgain(step: ScriptStep & { kind: 'send' }): Promise<HttpResult> {
    for (let tries = 0; tries < 60; tries++) {
      const response = await this.send(step, null)
      if (!(response.status === 409 && response.text.includes('idempotency-in-flight'))) return response
      await pause(500)
    }
    throw new Error('the key stays in flight')
  }

  async answer(answer: 'complete' | 'fail'): Promise<void> {
    const body = new URLSearchParams({ answer })
    await fetchFromKillable(this.challenge, { method: 'POST', body, redirect: 'manual' })
  }
}

/** The final response; null if the call was not repeated. */
interface SendResult {
  readonly response: HttpResult | null
  readonly wasKeyFree: boolean
}

/** Sends a call, possibly with a crash, and repeats it. */
async function sendAndRecover(
  runner: ScriptRunner,
  step: ScriptStep & { kind: 'send' },
  cut: CutPoint | null,
): Promise<SendResult> {
  const { server } = runner
  const { organization } = runner.scene
  let firstResponse: HttpResult | null = null
  try {
    firstResponse = await runner.send(step, cut?.plan ?? null)
  } catch (error) {
    if (!(error instanceof ServerDead)) throw error
  }
  if (firstResponse && cut?.plan.moment !== 'written') return { response: firstResponse, wasKeyFree: false }
  await server.restart()
  if (cut?.abandoned) return { response: null, wasKeyFree: false }
  const wasKeyFree = !(await server.ask<boolean>('claimed', { organization }))
  const isSentAgain = await runner.sendAgain(step)
  if (firstResponse && isSentAgain.text !== firstResponse.text && firstResponse.status < 300)
    throw new Error(`the repeated call returned another response: ${isSentAgain.text}`)
  return { response: isSentAgain, wasKeyFree }
}

const abandonDeadlines = ['authorisation-abandoned', 'topup-abandoned']

/** Whether the server waits for the card holder after this response. */
const isWaitingForAction = (response: HttpResult | null): boolean =>
  response?.text.includes('payment-action-required') ?? true

/** Runs a script on a new organization, and reads the money state when all tasks are done. */
export async function runScript(
  server: CrashableServer,
  script: string,
  { cut, again: isSentAgain = false }: RunOptions = {},
): Promise<RunResult> {
  const scene = await server.ask<PreparedScript>('prepare', { script })
  const { organization } = scene
  const runner = new ScriptRunner(server, scene)
  const before = server.crashes
  const answers: string[] = []
  const interruptibleSteps: InterruptibleStep[] = []
  const lastSend = scene.steps.findLastIndex(({ kind }) => kind === 'send')
  let workIndex = -1
  let wasKeyFree = false
  let isWaiting = false
  for (const [index, step] of scene.steps.entries()) {
    const stepCut = cut?.step === index ? cut : null
    if (step.kind === 'send') {
      if (isSentAgain && index === lastSend) await runner.send(step, null)
      const result = await sendAndRecover(runner, step, stepCut)
      const { response } = result
      wasKeyFree ||= result.wasKeyFree
      isWaiting = isWaitingForAction(response)
      if (!response) break
      if (response.status !== step.status) answers.push(`instead of ${step.status}:`)
      answers.push(normalizeGenerated(`${response.status} ${response.text}`))
      if (!cut) interruptibleSteps.push({ step: index, kind: 'send', statements: await server.ask('steps') })
    }
    if (step.kind === 'challenge') await runner.answer(step.answer)
    if (step.kind === 'due') await server.askUntilAnswered('due', { organization, deadlines: step.deadlines })
    if (step.kind === 'work') {
      workIndex = index
      await server.ask('arm-task', { task: step.task, organization, plan: stepCut?.plan ?? null })
    }
  }
  await server.askUntilAnswered('rest')
  if (workIndex >= 0 && !cut) {
    if (await server.ask('armed')) throw new Error(`${script}: the task never completed`)
    interruptibleSteps.push({ step: workIndex, kind: 'work', statements: await server.ask('steps') })
  }
  await server.askUntilAnswered('arm-task', {})
  if (isWaiting) {
    await server.askUntilAnswered('due', { organization, deadlines: abandonDeadlines })
    await server.askUntilAnswered('rest')
  }
  const { state, faults } = await server.ask<Pick<RunResult, 'state' | 'faults'>>('state', { organization })
  return { organization, answers, state, faults, interruptibleSteps, hasCrashed: server.crashes > before, wasKeyFree }
}
