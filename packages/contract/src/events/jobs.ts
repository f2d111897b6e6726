import Type from 'typebox'
import { Count } from '../schemas/primitives.ts'
import { defineEvent, exampleEntityIds, NullableEventText, EventText } from './define-event.ts'

const Process = { process_id: EventText, project_id: EventText }
const exampleProcess = { process_id: 'pansharpening', project_id: exampleEntityIds.project }

export const jobEvents = {
  'job.created': defineEvent('A processing job was created and its credits are held.', Process, exampleProcess),
  'job.started': defineEvent('A worker started the job.', Process, exampleProcess),
  'job.captured': defineEvent(
    'The hold of the job was settled.',
    { hold_id: NullableEventText, credits: Count },
    { hold_id: exampleEntityIds.hold, credits: 150 },
  ),
  'job.released': defineEvent(
    'The hold of the job was released.',
    { hold_id: NullableEventText },
    { hold_id: exampleEntityIds.hold },
  ),
  'job.completed': defineEvent(
    'The job completed.',
    { item_ids: Type.Array(EventText) },
    { item_ids: [exampleEntityIds.item] },
  ),
  'job.failed': defineEvent(
    'The job failed.',
    { ...Process, reason: NullableEventText },
    { ...exampleProcess, reason: 'The input has no panchromatic band.' },
  ),
}

export const analyticsEvents = {
  'analytics.executed': defineEvent(
    'An analytics method was executed.',
    { method: EventText, item_ids: Type.Array(EventText) },
    { method: 'ndvi', item_ids: [exampleEntityIds.item] },
  ),
}
