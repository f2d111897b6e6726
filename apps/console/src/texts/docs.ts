export const docsTexts = {
  failed: 'The operations could not be loaded. Check the connection and load the page again.',
} as const
