export const paymentsTexts = {
  challenge: 'The bank that issued the card asks its holder to confirm this payment. It goes on when you come back.',
  noChallengePage:
    'The bank asks for a confirmation that cannot be given in this console. Use another card, or pay in the Money screen of an administrator.',
  openChallenge: 'Open the page of the bank',
  continue: 'Continue the payment',
  card: 'Card',
  cardName: (brand: string | null, last4: string | null) =>
    [brand ? brand[0]!.toUpperCase() + brand.slice(1) : 'Card', last4 ? `•••• ${last4}` : ''].join(' ').trim(),
  noCard: 'No card is saved yet: add one first.',
  addCard: 'Add a card',
  addThisCard: 'Save this card',
  cardElsewhere:
    'This platform takes real cards. They are saved in the form of the payment processor: ask an administrator to add one.',
  playMoneyCard: 'Play-money card',
  playMoney: 'This installation moves no real money.',
  playMoneyCards: {
    pm_card_good: 'Visa that pays',
    pm_card_3ds: 'Visa that asks for 3-D Secure',
    pm_card_declined: 'Visa that is declined',
  },
  topUp: 'Top up',
  amount: 'Credits to buy',
  minimum: (credits: string) => `A whole number, at least ${credits}.`,
  charge: (credits: string, aud: string) => `Buy ${credits} for ${aud}`,
  askApproval: 'Ask for credits',
  whyApproval: 'Your role may not charge a card. An owner, an administrator or the billing role decides.',
  request: 'Ask for approval',
  approvalRequested: (credits: string, until: string) =>
    `Asked for ${credits}. The request stands until ${new Date(until).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}. Your cart is kept.`,
  overOrder: 'The price is above your limit per order. An owner or administrator of your organization can raise it.',
  overWindow: (frees: string | null) =>
    `The price is above what remains of your 30-day limit${frees ? `; it fits again from ${frees}` : ''}. An owner or administrator of your organization can raise it.`,
  confirmEnterprise: (sum: string) => `${sum} go to the invoice of the month when they are delivered.`,
  confirmCard: (sum: string) => `Your card is authorised for ${sum} now and charged on delivery.`,
  confirmFree: 'Nothing is charged.',
  confirm: (sum: string, held: string) => `Held now and charged on delivery: ${sum}. Available afterwards: ${held}.`,
  missing: (missing: string) => `${missing} are missing. Nothing was charged: top up here, then it can be paid.`,
  agreement: (title: string, version: string) => `I accept the licence agreement “${title}”, version ${version}`,
  accepted: 'Accepted for your organization.',
  accept: 'For your organization; a later version has to be accepted again.',
  licences: {
    standard: 'Standard licence',
    extended: 'Extended licence',
    proprietary: 'Licence of the provider',
  },
  terms: (provider: string) => `Terms of ${provider}`,
  agreementText: 'Read the agreement',
} as const
