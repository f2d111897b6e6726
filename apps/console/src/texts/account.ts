/** `3 minutes`, `2 hours`, `4 days` */
function describeDuration(duration_ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const
  const [unit_ms, unit] = units.find(([length_ms]) => duration_ms >= length_ms) ?? units[2]
  const count = Math.max(1, Math.round(duration_ms / unit_ms))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const accountTexts = {
  account: 'Account',
  signOut: 'Sign out',
  settings: 'Your account',
  organization: 'Organization',
  failed: 'Signing in did not work.',
  again: 'Sign in again',
  unreachable: 'The server does not answer.',
  unreachableHelp:
    'It may be starting again, or the connection is gone. Nothing is lost: this page opens by itself when the server answers.',
  retry: 'Try again now',
  refused: 'The server did not accept the answer of its sign-in page, twice. Please sign in again.',
  unavailable: 'The server cannot sign anybody in at the moment. Please try again in a minute.',
  reasons: {
    insecure: (host: string) =>
      `${host} is opened over HTTP. Browsers allow signing in over HTTP on the machine of the server only: open it there at http://localhost, or over HTTPS.`,
    storage:
      'This browser blocks the cookies and the storage of this site, which it needs to return from the sign-in page. Allow cookies and site data for this address in the settings of the browser, then sign in again.',
    clock: (ahead_ms: number | null) =>
      ahead_ms === null
        ? 'The clock of this device is wrong, so that the answer of the server seems to be out of date. Set the clock, then sign in again.'
        : `The clock of this device is ${describeDuration(Math.abs(ahead_ms))} ${ahead_ms > 0 ? 'ahead' : 'behind'}, so that the answer of the server seems to be out of date. Set the clock, then sign in again.`,
    host: 'This server accepts sign-ins at another address only. Open the console there:',
  },
} as const
