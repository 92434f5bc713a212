//! Who may ask: a page that this process has given its address to, and no other.

use tiny_http::{Header, Request};

use std::fmt::Write as _;

/// The number of random bytes in the address.
const BYTES: usize = 16;

/// The secret part of the address, and the names of the server.
pub(super) struct Access {
    token: String,
    port: u16,
}

impl Access {
    /// Returns a new secret for a server on this port.
    ///
    /// # Errors
    /// Returns an error message if the system has no random bytes.
    pub(super) fn new(port: u16) -> Result<Self, String> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers for the address: {error}"))?;
        let mut token = String::new();
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self { token, port })
    }

    /// Returns the address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/?project", self.port, self.token)
    }

    /// Returns what is asked for, below the secret; `None` for one who does not know it. A page of another origin is
    /// refused, and so is one that has given another name to this machine.
    pub(super) fn path<'r>(&self, request: &'r Request) -> Option<&'r str> {
        let header = |name: &'static str| {
            let found = |header: &&Header| header.field.equiv(name);
            request.headers().iter().find(found).map(|header| header.value.as_str())
        };
        let own = |host: &str| {
            [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)].contains(&host.to_owned())
        };
        let is_own_host = header("Host").is_some_and(own);
        let is_own_origin = header("Origin").is_none_or(|origin| origin.strip_prefix("http://").is_some_and(own));
        // Browsers say it of each request; a link on another page may open this one.
        let is_own_site = header("Sec-Fetch-Site").is_none_or(|site| ["same-origin", "none"].contains(&site))
            || header("Sec-Fetch-Mode") == Some("navigate");
        let below = request.url().strip_prefix('/')?.strip_prefix(self.token.as_str())?.strip_prefix('/')?;
        (is_own_host && is_own_origin && is_own_site).then_some(below)
    }
}
