/** The commands beside those of the operations, in the order of the help. */
export const comfortSummaries = {
  login: 'Sign in: in the browser, with a key or with a password.',
  logout: 'Sign out and forget the credentials of a profile.',
  whoami: 'Say who you are, and on which server.',
  switch: 'Choose the profile or the organization of the next commands.',
  search: 'Find scenes by place, area and dates, with their prices.',
  price: 'Say what scenes cost, or lock the price.',
  buy: 'Buy scenes at the price that is shown, or not at all.',
  task: 'Order a new acquisition of an area.',
  plan: 'Show what a file of orders would buy, and what is held.',
  apply: 'Buy what a plan says, at its price.',
  sandbox: 'Run a story in a sandbox, or an operation of it.',
  wait: 'Wait for an order, a job or an upload.',
  download: 'Download files, verified and resumed.',
  sync: 'Make a folder what an order, a collection or a project has.',
  upload: 'Upload files and wait for their items.',
  process: 'Run a process at the price that is shown.',
  tiles: 'Print URLs of tiles for map programs.',
  share: 'Share an item or a collection by a link.',
  listen: 'Follow events, and forward them to this machine as webhooks.',
  trigger: 'Make hosts and banks of a sandbox fail.',
  ledger: 'Verify the journal of the organization.',
  verify: 'Verify a journal or a receipt without a network.',
  open: 'Open the console at a thing.',
  doctor: 'Check the connection of this machine to the server.',
  completion: 'Print a script that completes commands in a shell.',
  api: 'Call an operation by its id, with JSON.',
  ops: 'List the operations.',
} as const satisfies Record<string, string>

export type ComfortName = keyof typeof comfortSummaries

export const isComfortName = (word: string | undefined): word is ComfortName =>
  word !== undefined && Object.hasOwn(comfortSummaries, word)
