export const accountTexts = {
  account: 'Account',
  signOut: 'Sign out',
  failed: 'Signing in did not work.',
  again: 'Sign in again',
} as const
