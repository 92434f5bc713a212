//! What sessions and runners share.

use lsp_server::Message;

use super::documents::Documents;
use super::greeting::Greeting;
use referee_ide::Overlay;

/// The open files of a client, and the way to it. Sessions and runners share it.
pub struct Desk<'h>(Documents<'h>);

impl<'h> Desk<'h> {
    /// Returns a desk without open files; messages to the client go to `send`.
    pub fn new(overlay: &'h Overlay<'h>, greeting: &Greeting, send: impl Fn(Message) + Send + Sync + 'static) -> Self {
        Self(Documents::new(overlay, greeting.encoding, Box::new(send)))
    }

    pub(super) const fn documents(&self) -> &Documents<'h> {
        &self.0
    }
}
