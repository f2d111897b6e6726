export const firstStepsTexts = {
  title: 'First steps',
  done: (done: number, all: number) => `${done} of ${all} done`,
  isDone: 'Done',
  isOpen: 'To do',
  close: 'Close; the account menu shows them again',
  show: 'First steps',
  steps: {
    find: 'Find a scene',
    buy: 'Buy it',
    look: 'Look at it',
    share: 'Share it',
    call: 'Call the API',
  },
  help: {
    find: 'choose a place and open a scene',
    buy: 'many scenes here are free',
    look: 'indices, statistics, comparison',
    share: 'a link with a password',
    call: 'with a key of your own',
  },
  look: {
    start: 'Look at a place that changes',
    help: 'Pucallpa, Peru, 1985 to 2020: four free scenes, as a time-lapse.',
    delivering: 'The scenes are being delivered; the time-lapse opens by itself.',
    failed: 'The scenes could not be delivered. You can try again.',
  },
} as const
