export const problemTexts = {
  retry: 'Try again',
  offline: 'This device is offline. Nothing is lost: it can be tried again when the connection is back.',
  unreachable: 'The server cannot be reached. Nothing is lost: it can be tried again when the server answers.',
  unexpected: 'Something went wrong on the server, and has been logged. What you entered is kept.',
  unreadable: 'This could not be loaded: something went wrong on the server, and has been logged.',
  missing: 'This does not exist, or not any more: it was deleted, or it belongs to another organization.',
  unchanged: (reason: string) =>
    `${reason} Nothing was changed, what you entered is kept, and the rest of the screen is read again.`,
  back: 'Back to the others',
  page: 'What this means',
  entry: (number: number, reason: string) => `Entry ${number} ${reason}.`,
  trace: 'Trace',
  copyTrace: 'Copy the trace id',
  tooMany: 'Too many calls in a short time. Nothing is lost.',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
  retriesIn: (seconds: number) => `Tried again by itself in ${seconds} s`,
  scope: (scope: string) => `Your role does not include this (${scope}). Ask an administrator of your organization.`,
} as const
