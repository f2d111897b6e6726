/** Texts of the screen of stuck work. */
export const stuckWorkTexts = {
  kind: 'Kind',
  anyKind: 'All kinds',
  none: 'Nothing is stuck.',
  noneHelp: 'What has not moved for long is shown here: tasks, deliveries, jobs, orders, uploads and cleanings.',
  kinds: {
    task: 'Task',
    dead_task: 'Failed task',
    delivery: 'Delivery of an event',
    job: 'Processing job',
    hold: 'Hold on credits',
    order: 'Order',
    upload: 'Upload',
    upload_cleaning: 'Cleaning of an upload',
    report_cleaning: 'Cleaning of a report',
  },
  reasons: {
    'lease-ended': 'Its worker is silent',
    'failed-repeatedly': 'It fails repeatedly',
    waiting: 'It waits for a worker',
    'gave-up': 'It has used up its attempts',
    'not-settled': 'It is not settled',
    'host-silent': 'The host does not answer',
    'open-too-long': 'It is open for long',
    stalled: 'It has stalled',
    'cleaning-overdue': 'Its cleaning is overdue',
  },
  actions: {
    retry: { verb: 'Try again', title: 'Try it again now?', text: 'It runs at once.' },
    release: {
      verb: 'Release',
      title: 'Release this hold?',
      text: 'The credits are available again; nothing is charged.',
    },
    cancel: {
      verb: 'End',
      title: 'End it for good?',
      text: 'It is not tried again. An order is charged for what was delivered; the rest of its hold is released.',
    },
  },
} as const
