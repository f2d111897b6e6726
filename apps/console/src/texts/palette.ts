export const paletteTexts = {
  title: 'Commands',
  placeholder: 'Go to a place, an order, an item, or run an operation',
  groups: { go: 'Go to', orders: 'Orders', items: 'Items', projects: 'Projects', run: 'Run an operation' },
  places: {
    uploads: 'Uploads',
    journal: 'Journal',
    cards: 'Cards',
    members: 'Members and caps',
    invoices: 'Invoices',
    api: 'Try the API',
    events: 'Events',
    docs: 'Documentation',
  },
  theme: (name: string) => `Appearance: ${name}`,
  found: (count: number) => (count === 1 ? '1 command' : `${count} commands`),
  none: 'Nothing has this name.',
  keys: '↑ ↓ choose, Enter opens, Esc closes',
} as const
