import { defineEvent, exampleEntityIds, EventTimestamp, NullableEventText, EventText } from './define-event.ts'

export const reportEvents = {
  'report.delivered': defineEvent(
    'A scheduled report was generated.',
    {
      schedule_id: EventText,
      name: EventText,
      report_type: EventText,
      project_id: NullableEventText,
      user_id: EventText,
      from: EventTimestamp,
      to: EventTimestamp,
    },
    {
      schedule_id: '01900000-0000-7000-8000-00000000000c',
      name: 'Monthly spending',
      report_type: 'spending',
      project_id: exampleEntityIds.project,
      user_id: exampleEntityIds.user,
      from: '2030-01-01T00:00:00.000Z',
      to: '2030-02-01T00:00:00.000Z',
    },
  ),
}
