export const problemTexts = {
  retry: 'Try again',
  offline: 'The server cannot be reached. Check the connection.',
  unexpected: 'Something went wrong on the server. It has been logged.',
  page: 'What this means',
  trace: (id: string) => `Trace ${id}`,
  tooMany: 'Too many calls in a short time.',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
  scope: (scope: string) => `Your role does not include this (${scope}). Ask an administrator of your organization.`,
} as const
