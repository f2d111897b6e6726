export const uiTexts = {
  back: 'Back',
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  copied: 'Copied',
  copyCall: 'Copy as curl',
  calls: 'As calls',
  member: 'A member',
  formerMember: 'Somebody who has left',
  noImage: 'No picture',
  credits: (count: number, shown: string) => (Math.abs(count) === 1 ? `${shown} credit` : `${shown} credits`),
  table: {
    searchIn: (table: string) => `Search these rows: ${table}`,
    csv: 'CSV',
    none: 'No row has these words.',
  },
} as const
