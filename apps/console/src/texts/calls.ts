export const callsTexts = {
  title: 'The same as a call of the API',
  languages: { curl: 'curl', swath: 'Command line', python: 'Python', typescript: 'TypeScript' },
  copy: 'Copy',
  needsKey: 'It needs an API key in the variable SWATH_KEY.',
  makeKey: 'Make a key for it',
  keyName: (operation: string) => `Key for ${operation}`,
  hasKey:
    'It runs as it is. The key is not shown again; it is valid for as long as Build says, where it can be revoked.',
} as const
