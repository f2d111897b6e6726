import { minute_ms } from '@swath/geo/time-units.ts'
import type { HostScene } from '../../imagery-host.ts'
import type { HostCollect, HostTaskStatus, TaskStage } from '../../tasking-host.ts'
import type { CollectRow, TaskRow } from './store.ts'

/** After the order was placed. */
const scheduled_after_ms = 10 * minute_ms
/** Before the acquisition: the satellite has its commands. */
const tasked_before_ms = 45 * minute_ms
/** After the acquisition. */
const stagesAfter: readonly { readonly stage: TaskStage; readonly after_ms: number }[] = [
  { stage: 'collected', after_ms: 0 },
  { stage: 'downlinked', after_ms: 25 * minute_ms },
  { stage: 'processing', after_ms: 70 * minute_ms },
  { stage: 'ready', after_ms: 180 * minute_ms },
]

interface StageAtTime {
  readonly stage: TaskStage
  readonly next_ms: number | null
}

/** The state of a task at a time, from its rows alone. `toScene` describes the acquired image. */
export function taskStatusAt(
  task: TaskRow,
  collects: readonly CollectRow[],
  now: Date,
  toScene: (collect: CollectRow) => HostScene,
): HostTaskStatus {
  const now_ms = now.getTime()
  const current = collects.find(({ acquired_at, is_accepted }) => acquired_at.getTime() > now_ms || is_accepted)
  const flown = collects.slice(0, current ? collects.indexOf(current) + 1 : undefined)
  const status = {
    reason_code: null,
    reason: null,
    collects: flown.map((collect) => toHostCollect(collect, now_ms)),
    scene: null,
    next_change_at: null,
  }
  if (task.cancelled_at)
    return { ...status, stage: 'cancelled', reason_code: 'user_cancelled', reason: 'The customer cancelled the task.' }
  if (!current) {
    const reason = `Clouds covered more than ${task.request.max_cloud_pct ?? 100} per cent in all acquisitions.`
    return { ...status, stage: task.replan ? 'expired' : 'failed', reason_code: 'cloud_cover', reason }
  }
  const { stage, next_ms } = stageOf(task, current, current === collects[0], now_ms)
  return {
    ...status,
    stage,
    scene: stage === 'ready' ? toScene(current) : null,
    next_change_at: next_ms === null ? null : new Date(next_ms),
  }
}

function stageOf(task: TaskRow, current: CollectRow, isFirst: boolean, now_ms: number): StageAtTime {
  const acquired_ms = current.acquired_at.getTime()
  if (now_ms < acquired_ms) {
    const scheduled_ms = task.placed_at.getTime() + scheduled_after_ms
    const tasked_ms = acquired_ms - tasked_before_ms
    if (isFirst && now_ms < Math.min(scheduled_ms, tasked_ms))
      return { stage: 'accepted', next_ms: Math.min(scheduled_ms, tasked_ms) }
    return now_ms < tasked_ms ? { stage: 'scheduled', next_ms: tasked_ms } : { stage: 'tasked', next_ms: acquired_ms }
  }
  const index = stagesAfter.findLastIndex(({ after_ms }) => now_ms >= acquired_ms + after_ms)
  const next = stagesAfter[index + 1]
  return { stage: stagesAfter[index]!.stage, next_ms: next ? acquired_ms + next.after_ms : null }
}

const toHostCollect = (collect: CollectRow, now_ms: number): HostCollect => {
  const isFlown = collect.acquired_at.getTime() <= now_ms
  return {
    opportunity: collect.opportunity.id,
    satellite: collect.satellite,
    at: collect.acquired_at,
    cloud_pct: isFlown ? collect.cloud_pct : null,
    accepted: isFlown ? collect.is_accepted : null,
  }
}
