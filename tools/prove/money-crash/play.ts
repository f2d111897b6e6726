import { setTimeout as pause } from 'node:timers/promises'
import { tokenSource } from '@swath/client/tokens.ts'
import { Dead, login, reach, type MortalHouse } from './house.ts'
import type { Plan } from './kill-points.ts'
import { keyOf, type Scene, type Step } from './scripts.ts'
import { withoutChance, type State } from './state.ts'

/** Where a script is interrupted. */
export interface Cut {
  /** The index of the step, from 0. */
  readonly step: number
  readonly plan: Plan
  /** The call is not repeated, and its deadlines expire. */
  readonly abandoned: boolean
}

/** A step that can be interrupted. */
export interface Piece {
  readonly step: number
  readonly kind: 'send' | 'work'
  readonly statements: readonly string[]
}

export interface Played {
  readonly organization: string
  /** The final response of each step, normalized so that two runs are comparable. */
  readonly answers: readonly string[]
  readonly state: State
  readonly faults: readonly string[]
  /** For an uninterrupted run: the steps that can be interrupted, with their statements. */
  readonly pieces: readonly Piece[]
  /** True if the server crashed. */
  readonly died: boolean
  /** True if the key was free after the crash, so that the retry was a new call. */
  readonly freed: boolean
}

/** Options of a run: an interruption, or the last call sent twice, as after a lost response. */
export interface Manner {
  readonly cut?: Cut
  readonly again?: boolean
}

interface Said {
  readonly status: number
  readonly replayed: boolean
  readonly text: string
}

/** Runs one prepared script, with its token and its idempotency key. */
class Player {
  readonly house: MortalHouse
  readonly scene: Scene
  readonly token: () => Promise<string>
  private challenge = ''

  constructor(house: MortalHouse, scene: Scene) {
    this.house = house
    this.scene = scene
    this.token = tokenSource(house.url, scene.login === 'administrator' ? login : scene.login)
  }

  async send(step: Step & { kind: 'send' }, plan: Plan | null): Promise<Said> {
    const said = await reach(`${this.house.url}${step.path}`, {
      method: 'POST',
      body: JSON.stringify(step.body),
      headers: {
        authorization: `Bearer ${await this.token()}`,
        'content-type': 'application/json',
        'idempotency-key': keyOf(this.scene.organization),
        'x-kill': plan === null ? 'none' : `${plan.moment}:${plan.at}`,
      },
    })
    this.challenge = (JSON.parse(said.text) as { challenge_url?: string }).challenge_url ?? ''
    return said
  }

  /** Repeats the call until its key is no longer in flight. */
  async sendAgain(step: Step & { kind: 'send' }): Promise<Said> {
    for (let tries = 0; tries < 60; tries++) {
      const said = await this.send(step, null)
      if (!(said.status === 409 && said.text.includes('idempotency-in-flight'))) return said
      await pause(500)
    }
    throw new Error('the key stays in flight')
  }

  async answer(answer: 'complete' | 'fail'): Promise<void> {
    const body = new URLSearchParams({ answer })
    await reach(this.challenge, { method: 'POST', body, redirect: 'manual' })
  }
}

/** The final response; null if the call was not repeated. */
interface Heard {
  readonly said: Said | null
  readonly freed: boolean
}

/** Sends a call, possibly with a crash, and repeats it. */
async function sendOnce(player: Player, step: Step & { kind: 'send' }, cut: Cut | null): Promise<Heard> {
  const { house } = player
  const { organization } = player.scene
  let first: Said | null = null
  try {
    first = await player.send(step, cut?.plan ?? null)
  } catch (error) {
    if (!(error instanceof Dead)) throw error
  }
  if (first && cut?.plan.moment !== 'written') return { said: first, freed: false }
  await house.revive()
  if (cut?.abandoned) return { said: null, freed: false }
  const freed = !(await house.ask<boolean>('claimed', { organization }))
  const again = await player.sendAgain(step)
  if (first && again.text !== first.text && first.status < 300) throw new Error(`the repeated call returned another response: ${again.text}`)
  return { said: again, freed }
}

const patience = ['authorisation-abandoned', 'topup-abandoned']

/** Whether the server waits for the card holder after this response. */
const leavesWaiting = (said: Said | null): boolean => said?.text.includes('payment-action-required') ?? true

/** Runs a script on a new organization, and reads the money state when all tasks are done. */
export async function play(house: MortalHouse, script: string, { cut, again = false }: Manner = {}): Promise<Played> {
  const scene = await house.ask<Scene>('prepare', { script })
  const { organization } = scene
  const player = new Player(house, scene)
  const before = house.deaths()
  const answers: string[] = []
  const pieces: Piece[] = []
  const last = scene.steps.findLastIndex(({ kind }) => kind === 'send')
  let working = -1
  let freed = false
  let waiting = false
  for (const [index, step] of scene.steps.entries()) {
    const here = cut?.step === index ? cut : null
    if (step.kind === 'send') {
      if (again && index === last) await player.send(step, null)
      const heard = await sendOnce(player, step, here)
      const { said } = heard
      freed ||= heard.freed
      waiting = leavesWaiting(said)
      if (!said) break
      if (said.status !== step.status) answers.push(`instead of ${step.status}:`)
      answers.push(withoutChance(`${said.status} ${said.text}`))
      if (!cut) pieces.push({ step: index, kind: 'send', statements: await house.ask('steps') })
    }
    if (step.kind === 'challenge') await player.answer(step.answer)
    if (step.kind === 'due') await house.insist('due', { organization, deadlines: step.deadlines })
    if (step.kind === 'work') {
      working = index
      await house.ask('arm', { task: step.task, organization, plan: here?.plan ?? null })
    }
  }
  await house.insist('rest')
  if (working >= 0 && !cut) {
    if (await house.ask('armed')) throw new Error(`${script}: the task never completed`)
    pieces.push({ step: working, kind: 'work', statements: await house.ask('steps') })
  }
  await house.insist('arm', {})
  if (waiting) {
    await house.insist('due', { organization, deadlines: patience })
    await house.insist('rest')
  }
  const { state, faults } = await house.ask<Pick<Played, 'state' | 'faults'>>('state', { organization })
  return { organization, answers, state, faults, pieces, died: house.deaths() > before, freed }
}
