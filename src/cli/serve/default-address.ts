/** Where a gateway listens by default. In its own file because the help of `stint serve` shows it. */
export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_PORT = 7433
