export const frameTexts = {
  product: 'Swath',
  skipToPanel: 'Skip to the panel',
  map: 'Map',
  places: {
    explore: 'Explore',
    orders: 'Orders',
    library: 'Library',
    money: 'Money',
    build: 'Build',
  },
  theme: { label: 'Appearance', system: 'As the system', dark: 'Dark', light: 'Light' },
  resize: 'Resize the panel',
  sheet: {
    peek: 'Enlarge the panel',
    half: 'Enlarge the panel to the whole screen',
    full: 'Make the panel small',
  },
  notFound: 'There is no such page.',
  toExplore: 'Go to Explore',
} as const
